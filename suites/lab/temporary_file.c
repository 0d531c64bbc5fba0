// Sorts by way of a temporary file.
// run: 3 1 2
// run: 1 x
// run:
#include <stdio.h>
#include <stdlib.h>

static int spill(FILE *f, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *end;
        long n = strtol(argv[i], &end, 10);
        if (*end) return -1;
        fwrite(&n, sizeof n, 1, f);
    }
    rewind(f);
    return argc - 1;
}

static int order(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    FILE *f = tmpfile();
    if (f == NULL) return 3;
    int n = spill(f, argc, argv);
    if (n < 0) {
        fputs("not a number\n", stderr);
        fclose(f);
        return 1;
    }
    if (n == 0) return 0;
    long *all = malloc((size_t)n * sizeof *all);
    if (all != NULL && fread(all, sizeof *all, (size_t)n, f) == (size_t)n) {
        qsort(all, (size_t)n, sizeof *all, order);
        printf("%ld\n", all[0]);
    }
    free(all);
    fclose(f);
    return 0;
}
