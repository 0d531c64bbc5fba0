// A dynamic array of heap strings: sort, unique, join, free.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct sl { char **v; int n, cap; };
static void add(struct sl *l, const char *s, int n) {
    if (l->n == l->cap) l->v = realloc(l->v, (l->cap = l->cap ? l->cap * 2 : 2) * sizeof *l->v);
    l->v[l->n++] = strndup(s, n);
}
static void split(struct sl *l, const char *s) {
    while (*s) {
        int n = strcspn(s, " ,.");
        if (n) add(l, s, n);
        s += n + (s[n] != 0);
    }
}
static int cmp(const void *a, const void *b) { return strcmp(*(char **)a, *(char **)b); }
static void uniq(struct sl *l) {
    int k = 0;
    for (int i = 0; i < l->n; i++) if (k && !strcmp(l->v[k - 1], l->v[i])) free(l->v[i]);
    else l->v[k++] = l->v[i];
    l->n = k;
}
static char *join(const struct sl *l, const char *sep) {
    size_t n = 1;
    for (int i = 0; i < l->n; i++) n += strlen(l->v[i]) + strlen(sep);
    char *r = calloc(n, 1);
    for (int i = 0; i < l->n; i++) { if (i) strcat(r, sep); strcat(r, l->v[i]); }
    return r;
}
int main(void) {
    struct sl l = {0};
    split(&l, "the cat, the dog. a cat and the other dog");
    qsort(l.v, l.n, sizeof *l.v, cmp);
    char *a = join(&l, " ");
    puts(a);
    uniq(&l);
    char *b = join(&l, "-");
    puts(b);
    int n = l.n;
    for (int i = 0; i < l.n; i++) free(l.v[i]);
    free(l.v);
    free(a);
    free(b);
    return n;
}
