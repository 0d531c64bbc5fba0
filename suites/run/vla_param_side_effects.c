// Size expressions of parameters are evaluated on entry.
#include <stdio.h>
static int hits;
static int bump(int x) { hits++; return x; }
static int get(int n, int m[bump(n)][n + 1], int i, int j) { return m[i][j] + (int)sizeof m[0]; }
static void scale(int n, double v[n], double k) { for (int i = 0; i < n; i++) v[i] *= k; }
static double mean(int n, const double v[static n]) {
    double s = 0;
    for (int i = 0; i < n; i++) s += v[i];
    return s / n;
}
int main(void) {
    int m[3][4]; for (int i = 0; i < 12; i++) m[i / 4][i % 4] = i;
    printf("%d\n", get(3, m, 2, 1)); int g = get(3, m, 0, 3); printf("%d %d\n", g, hits);
    double v[] = {1, 2, 3, 4};
    scale(4, v, 1.5);
    scale(2, v + 2, 2);
    printf("%g %g %g %g %g\n", v[0], v[1], v[2], v[3], mean(4, v));
    int n = 5; int sq[n]; for (int i = 0; i < n; i++) sq[i] = i * i;
    int (*pv)[n] = &sq; printf("%d %zu\n", (*pv)[4], sizeof *pv);
    return (int)mean(4, v);
}
