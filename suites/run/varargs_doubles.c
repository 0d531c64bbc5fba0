// Doubles and integers interleaved past the register save area.
#include <stdio.h>
#include <stdarg.h>
static double poly(int n, double x, ...) {
    va_list ap;
    va_start(ap, x);
    double r = 0, p = 1;
    for (int i = 0; i < n; i++) { r += va_arg(ap, double) * p; p *= x; }
    va_end(ap);
    return r;
}
static void inter(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double d = 0;
    long l = 0;
    for (int i = 0; i < n; i++) {
        d = d * 2 + va_arg(ap, double);
        l = l * 3 + va_arg(ap, int);
    }
    va_end(ap);
    printf("%g %ld\n", d, l);
}
static long double ld(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long double s = 0;
    while (n--) { s += va_arg(ap, long double); s += va_arg(ap, int); }
    va_end(ap);
    return s;
}
int main(void) {
    printf("%g\n", poly(3, 2.0, 1.0, 2.0, 3.0));
    printf("%g\n", poly(12, 1.0, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
    inter(10, 1.0, 1, 2.0, 2, 3.0, 3, 4.0, 4, 5.0, 5, 6.0, 6, 7.0, 7, 8.0, 8, 9.5, 9, 10.5, 10);
    float f = 0.5f; inter(2, f, 'a', f * 2, (short)-1);
    printf("%Lg\n", ld(3, 1.5L, 1, 2.5L, 2, 3.25L, 3));
    return (int)poly(1, 0.0, 9.9);
}
