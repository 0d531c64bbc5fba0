// More arguments than registers, of several kinds.
#include <stdio.h>
struct big { long v[4]; };
static long f(char a, short b, int c, long d, unsigned char e, float f1, double g, struct big h, int i, int j, long k, double l, float m, float n, double o, double p, double q, double r, double s, char t, struct big u) {
    printf("%d %d %d %ld %u %g %g\n", a, b, c, d, e, f1, g);
    printf("%ld %d %d %ld %g %g %g %g %g %g %g %g %d %ld\n", h.v[3], i, j, k, l, m, n, o, p, q, r, s, t, u.v[0]);
    h.v[0] = 99; u = h;
    return a + b + c + d + e + (long)(f1 + g + l + m + n + o + p + q + r + s) + h.v[0] + i + j + k + t + u.v[3];
}
int main(void) {
    struct big x = {{1, 2, 3, 4}}, y = {{5, 6, 7, 8}};
    long r = f(-1, -2, -3, -4, 250, 0.5f, 1.5, x, 10, 20, 30, 2.5, 3.5f, 4.5f, 5.5, 6.5, 7.5, 8.5, 9.5, 'c', y);
    printf("%ld %ld %ld\n", r, x.v[0], y.v[0]);
    return r & 0x7f;
}
