// Two-dimensional VLAs and VLA parameters.
#include <stdio.h>
static void fill(int r, int c, int m[r][c]) {
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = i * c + j;
}
static void mul(int n, int k, int m, int a[n][k], int b[k][m], int out[n][m]) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        out[i][j] = 0;
        for (int x = 0; x < k; x++) out[i][j] += a[i][x] * b[x][j];
    }
}
static int trace(int n, int (*m)[n]) { int t = 0; for (int i = 0; i < n; i++) t += m[i][i]; return t; }
static long sum(int r, int c, int m[*][*]);
static long sum(int r, int c, int m[r][c]) {
    long s = 0;
    for (int *p = &m[0][0]; p < &m[0][0] + r * c; p++) s += *p;
    return s;
}
int main(void) {
    for (int n = 2; n <= 5; n++) {
        int a[n][n + 1], b[n + 1][n], c[n][n];
        fill(n, n + 1, a); fill(n + 1, n, b); mul(n, n + 1, n, a, b, c);
        printf("%d: %zu %zu trace %d sum %ld\n", n, sizeof a, sizeof a[0], trace(n, c), sum(n, n, c));
    }
    int r = 2, c = 3; int g[2][3]; fill(r, c, g); printf("%ld\n", sum(2, 3, g));
    int x[r][c][4]; printf("%zu %zu %zu\n", sizeof x, sizeof x[0], sizeof x[0][0]); x[1][2][3] = 9;
    int (*p)[c][4] = x; printf("%d %td\n", p[1][2][3], &p[1] - &p[0]);
    return g[1][2];
}
