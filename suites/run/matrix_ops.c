// Integer and floating matrices: product, power, determinant, transpose.
#include <stdio.h>
#include <string.h>
typedef struct { long m[2][2]; } m2;
static m2 mul(m2 a, m2 b) {
    m2 r = {0};
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) r.m[i][j] += a.m[i][k] * b.m[k][j];
    return r;
}
static m2 pw(m2 a, int n) {
    m2 r = {{{1, 0}, {0, 1}}};
    for (; n; n >>= 1, a = mul(a, a)) if (n & 1) r = mul(r, a);
    return r;
}
static double det(int n, double a[n][n]) {
    double d = 1;
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c + 1; r < n; r++) if ((a[r][c] < 0 ? -a[r][c] : a[r][c]) > (a[p][c] < 0 ? -a[p][c] : a[p][c])) p = r;
        if (a[p][c] == 0) return 0;
        if (p != c) {
            for (int k = 0; k < n; k++) {
                double t = a[p][k];
                a[p][k] = a[c][k];
                a[c][k] = t;
            }
            d = -d;
        }
        d *= a[c][c];
        for (int r = c + 1; r < n; r++) {
            double f = a[r][c] / a[c][c];
            for (int k = c; k < n; k++) a[r][k] -= f * a[c][k];
        }
    }
    return d;
}
int main(void) {
    m2 f = {{{1, 1}, {1, 0}}};
    for (int n = 1; n <= 40; n += 13) printf("%ld ", pw(f, n).m[0][1]);
    puts("");
    double a[3][3] = {{2, 0, 1}, {1, 4, 0}, {0, 8, 2}};
    printf("%.3f\n", det(3, a));
    double b[2][2] = {{1, 2}, {2, 4}};
    printf("%.1f\n", det(2, b));
    int x[3][4], t[4][3];
    for (int i = 0; i < 12; i++) x[0][0] = 0, x[i / 4][i % 4] = i;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) t[j][i] = x[i][j];
    for (int i = 0; i < 4; i++) printf("%d %d %d;", t[i][0], t[i][1], t[i][2]);
    puts("");
    return (int)pw(f, 10).m[0][1];
}
