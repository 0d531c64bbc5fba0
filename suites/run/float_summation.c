// Kahan summation, pairwise sums, Newton iterations, series.
#include <stdio.h>
static double kahan(const double *a, int n) {
    double s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        volatile double y = a[i] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}
static double pair(const double *a, int n) {
    return n == 1 ? *a : pair(a, n / 2) + pair(a + n / 2, n - n / 2);
}
static double nsqrt(double x) {
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) r = 0.5 * (r + x / r);
    return r;
}
int main(void) {
    static double a[1000];
    for (int i = 0; i < 1000; i++) a[i] = 1.0 / (i + 1);
    double s = 0;
    for (int i = 0; i < 1000; i++) s += a[i];
    printf("%.15f %.15f %.15f\n", s, kahan(a, 1000), pair(a, 1000));
    printf("%.12f %.12f\n", nsqrt(2), nsqrt(1e10));
    double e = 1, t = 1;
    for (int i = 1; i < 25; i++) e += t /= i;
    printf("%.14f\n", e);
    float f = 0;
    for (int i = 0; i < 1000; i++) f += 0.1f;
    printf("%.6f\n", f);
    double x = 0.5;
    for (int i = 0; i < 50; i++) x = 3.7 * x * (1 - x);
    printf("%d\n", x > 0 && x < 1);
    double pi = 0;
    for (int k = 0; k < 12; k++) {
        double p = 1;
        for (int j = 0; j < k; j++) p /= 16;
        pi += p * (4.0 / (8 * k + 1) - 2.0 / (8 * k + 4) - 1.0 / (8 * k + 5) - 1.0 / (8 * k + 6));
    }
    printf("%.13f\n", pi);
    return (int)(e * 10);
}
