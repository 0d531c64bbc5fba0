// Root finding and numeric integration through function pointers.
#include <stdio.h>
typedef double fn(double);
static double cube(double x) { return x * x * x - 2; }
static double quad(double x) { return x * x; }
static double rat(double x) { return 1 / (1 + x * x); }
static double bisect(fn *f, double a, double b) {
    for (int i = 0; i < 100; i++) {
        double m = (a + b) / 2;
        if ((f(a) < 0) == (f(m) < 0)) a = m;
        else b = m;
    }
    return a;
}
static double simpson(fn *f, double a, double b, int n) {
    double h = (b - a) / n, s = f(a) + f(b);
    for (int i = 1; i < n; i++) s += f(a + i * h) * (i & 1 ? 4 : 2);
    return s * h / 3;
}
static double deriv(fn *f, double x) {
    double h = 1.0 / 1024;
    return (f(x + h) - f(x - h)) / (2 * h);
}
int main(void) {
    fn *fs[] = {cube, quad, rat};
    printf("%.10f\n", bisect(cube, 0, 2));
    for (int i = 0; i < 3; i++) printf("%.8f %.8f\n", simpson(fs[i], 0, 1, 100), deriv(fs[i], 0.5));
    printf("%.8f\n", 4 * simpson(rat, 0, 1, 200));
    return (int)(simpson(quad, 0, 3, 10) + 0.5);
}
