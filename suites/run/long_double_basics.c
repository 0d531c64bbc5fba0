// The 80-bit extended type.
#include <stdio.h>
#include <stdlib.h>
static long double half(long double x) { return x / 2; }
struct box { char c; long double v; int n; };
int main(void) {
    long double a = 1.0L, b = 3.0L;
    printf("%.18Lf\n", a / b);
    printf("%zu %zu %zu\n", sizeof(long double), _Alignof(long double), sizeof(struct box));
    long double x = 18446744073709551615.0L; printf("%.1Lf %.1Lf\n", x, x - 1);
    unsigned long u = (unsigned long)x; printf("%lu\n", u);
    long l = -5; long double ll = l; printf("%.1Lf %d\n", ll, (int)ll);
    double d = (double)(a / b); printf("%d\n", d == a / b);
    long double s = 0; for (int i = 0; i < 10; i++) s += 0.1L;
    printf("%.15Lf\n", s);
    struct box bx = {'x', half(7.0L), 3}; struct box by = bx; by.v *= 4;
    printf("%c %.3Lf %d %.3Lf\n", bx.c, bx.v, bx.n, by.v);
    long double f = 1; for (int i = 1; i <= 20; i++) f *= i;
    printf("%.0Lf %d\n", f, f == 2432902008176640000.0L);
    long double arr[3] = {1.5L, -2.5L, 0}; arr[2] = arr[0] - arr[1];
    printf("%Lg %Le %d %d\n", arr[2], arr[1], arr[0] > arr[1], -arr[1] == 2.5L);
    printf("%.3Lf\n", strtold("2.718281828", NULL));
    return (int)arr[2];
}
