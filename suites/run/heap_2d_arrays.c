// Three ways of allocating a matrix.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int r = 4, c = 5;
    int **a = malloc(r * sizeof *a);
    for (int i = 0; i < r; i++) {
        a[i] = malloc(c * sizeof **a);
        for (int j = 0; j < c; j++) a[i][j] = i * c + j;
    }
    int **b = malloc(r * sizeof *b);
    b[0] = malloc(r * c * sizeof **b);
    for (int i = 1; i < r; i++) b[i] = b[0] + i * c;
    for (int i = 0; i < r * c; i++) b[0][i] = i * 2;
    int (*v)[c] = malloc(r * sizeof *v);
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) v[i][j] = a[i][j] + b[i][j];
    int s = 0;
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < c; j++) {
            printf("%d ", v[i][j]);
            s = (s * 3 + v[i][j]) % 1009;
        }
        puts("");
    }
    int *row = a[1];
    a[1] = a[2];
    a[2] = row;
    printf("%d %d %d\n", a[1][0], a[2][4], s);
    for (int i = 0; i < r; i++) free(a[i]);
    free(a);
    free(b[0]);
    free(b);
    free(v);
    return s & 0x7f;
}
