// getline grows its buffer; lines are collected and sorted.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int cmp(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
    char *line = NULL, **all = NULL;
    size_t cap = 0, n = 0;
    ssize_t k;
    while ((k = getline(&line, &cap, stdin)) != -1) {
        if (k && line[k - 1] == '\n') line[--k] = 0;
        all = realloc(all, (n + 1) * sizeof *all);
        all[n++] = strdup(line);
    }
    free(line);
    qsort(all, n, sizeof *all, cmp);
    size_t longest = 0;
    for (size_t i = 0; i < n; i++) {
        printf("%zu %s\n", strlen(all[i]), all[i]);
        if (strlen(all[i]) > longest) longest = strlen(all[i]);
        free(all[i]);
    }
    free(all);
    printf("%zu %zu\n", n, longest);
    return n;
}
