// The edit distance of two words, with two rows of a table.
// run: kitten sitting
// run: a a
// run: a ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int least(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int distance(const char *a, const char *b) {
    size_t n = strlen(b);
    int *above = malloc((n + 1) * sizeof *above);
    int *row = malloc((n + 1) * sizeof *row);
    int result = -1;
    if (above == NULL || row == NULL) goto out;
    for (size_t j = 0; j <= n; j++) above[j] = (int)j;
    for (size_t i = 1; a[i - 1]; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++)
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
        int *swap = above;
        above = row;
        row = swap;
    }
    result = above[n];
out:
    free(above);
    free(row);
    return result;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    printf("%d\n", distance(argv[1], argv[2]));
    return 0;
}
// run:
