// Multiplies two matrices of n by n numbers.
// run: 3
// run: 1
// run: 0
#include <stdio.h>
#include <stdlib.h>

static void free_rows(double **m, int n) {
    if (m == NULL) return;
    for (int i = 0; i < n; i++) free(m[i]);
    free(m);
}

static double **matrix(int n, double diagonal) {
    double **m = calloc((size_t)n, sizeof *m);
    if (m == NULL) return NULL;
    for (int i = 0; i < n; i++) {
        m[i] = calloc((size_t)n, sizeof **m);
        if (m[i] == NULL) {
            free_rows(m, i);
            return NULL;
        }
        m[i][i] = diagonal;
    }
    return m;
}

static double **product(double **a, double **b, int n) {
    double **c = matrix(n, 0);
    for (int i = 0; c != NULL && i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    return c;
}

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    if (n <= 0) return 1;
    double **a = matrix(n, 2), **b = matrix(n, 3), **c = NULL;
    int status = 1;
    if (a != NULL && b != NULL && (c = product(a, b, n)) != NULL) {
        printf("%g\n", c[n - 1][n - 1]);
        status = 0;
    }
    free_rows(a, n);
    free_rows(b, n);
    free_rows(c, n);
    return status;
}
