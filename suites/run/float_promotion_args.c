// float becomes double through ..., and through unprototyped calls.
#include <stdio.h>
#include <stdarg.h>
static double vsum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double s = 0;
    while (n--) s += va_arg(ap, double);
    va_end(ap);
    return s;
}
double old();
static float fmul(float a, float b) { return a * b; }
int main(void) {
    float f = 1.1f;
    printf("%.10f\n", f);
    printf("%.10f\n", vsum(3, f, 2.5f, 3.25));
    printf("%.10f\n", old(f, 2));
    printf("%.10f\n", fmul(1.1, 3));
    printf("%zu %zu %zu\n", sizeof(f * f), sizeof(f * 1), sizeof(f * 1.0));
    float g = 1.0f / 3; double d = 1.0f / 3; double e = 1.0 / 3;
    printf("%d %d\n", g == d, d == e);
    return (int)(f * 10);
}
double old(f, n) float f; int n; { return f * n; }
