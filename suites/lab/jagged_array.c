// Rows of growing length; the last row is handed out and the rest released.
// run: 4
// run: 1
#include <stdio.h>
#include <stdlib.h>

static int *last_row(int n) {
    int **rows = malloc((size_t)n * sizeof *rows);
    if (!rows) return NULL;
    for (int i = 0; i < n; i++) {
        rows[i] = malloc((size_t)(i + 1) * sizeof **rows);
        if (!rows[i]) {
            while (i-- > 0) free(rows[i]);
            free(rows);
            return NULL;
        }
        for (int j = 0; j <= i; j++) rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
    }
    int *last = rows[n - 1];
    for (int i = 0; i < n - 1; i++) free(rows[i]);
    free(rows);
    return last;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 2;
    int *row = last_row(n);
    if (row == NULL) return 1;
    for (int i = 0; i < n; i++) printf("%d ", row[i]);
    printf("\n");
    free(row);
    return 0;
}
// run:
