// Truth values of every scalar type in if, while, !, &&, ?: and comparisons chained.
#include <stdio.h>
#include <stdbool.h>
#define T(e) ((e) ? 'T' : 'F')
int main(void) {
    char c = 0;
    short s = 256;
    long l = 1L << 40;
    float f = 1e-40f;
    double d = -0.0;
    char *p = "", *z = 0;
    long double ld = 1e-300L;
    unsigned char uc = 256 & 0xff;
    _Bool b = l;
    printf("%c%c%c%c%c%c%c%c%c%c\n", T(c), T(s), T(l), T(f), T(d), T(p), T(z), T(ld), T(uc), T(b));
    printf("%d%d%d%d%d%d%d\n", !c, !s, !l, !f, !d, !p, !ld);
    int n = 0;
    if (l) n |= 1;
    if ((int)l) n |= 2;
    if (f) n |= 4;
    if (d) n |= 8;
    if (*p) n |= 16;
    if (p && !*p) n |= 32;
    printf("%d\n", n);
    printf("%d %d %d\n", 3 > 2 > 1, 1 < 2 < 3, 5 == 5 == 1);
    printf("%d %d\n", (l > 0) + (s > 0) + (f > 0), -(l > 0));
    bool x = true, y = !x;
    x ^= y;
    y |= x & !c;
    printf("%d %d\n", x, y);
    while (s) { s >>= 4; n++; }
    printf("%d\n", n);
    bool arr[3] = {5, 0, -1};
    printf("%d\n", arr[0] + arr[1] + arr[2]);
    return n;
}
