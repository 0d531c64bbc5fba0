// Sums one column of a comma separated table.
// run: 0 < "1,2\n3,4\n"
// run: 1 < "1,2\n3,x\n"
// run: 5 < "1,2\n"
// run: 0 < "\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **split(const char *line, int *count) {
    char *copy = strdup(line);
    if (copy == NULL) return NULL;
    char **cells = NULL;
    int used = 0;
    for (char *p = strtok(copy, ",\n"); p != NULL; p = strtok(NULL, ",\n")) {
        char **grown = realloc(cells, (size_t)(used + 1) * sizeof *cells);
        if (grown == NULL) break;
        cells = grown;
        cells[used++] = strdup(p);
    }
    free(copy);
    *count = used;
    return cells;
}

static void free_cells(char **cells, int count) {
    for (int i = 0; i < count; i++) free(cells[i]);
    free(cells);
}

static int add_cell(const char *line, int column, long *sum) {
    int count = 0;
    char **cells = split(line, &count);
    if (cells == NULL) return 0;
    if (column >= count) {
        free_cells(cells, count);
        return -1;
    }
    char *end = NULL;
    long value = strtol(cells[column] ? cells[column] : "0", &end, 10);
    if (*end != '\0') return -1;
    *sum += value;
    free_cells(cells, count);
    return 0;
}

int main(int argc, char **argv) {
    int column = argc > 1 ? atoi(argv[1]) : 0;
    char line[256];
    long sum = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (add_cell(line, column, &sum) != 0) {
            fprintf(stderr, "bad line\n");
            return 1;
        }
    }
    printf("%ld\n", sum);
    return 0;
}
