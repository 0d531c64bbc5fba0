// typeof and __auto_type in declarations, macros and casts.
#include <stdio.h>
#include <string.h>
#define SUM(a) ({ typeof((a)[0]) s = 0; for (unsigned i = 0; i < sizeof(a) / sizeof *(a); i++) s += (a)[i]; s; })
#define ABS(x) ({ __auto_type v = (x); v < 0 ? -v : v; })
static double sq(double x) { return x * x; }
int main(void) {
    int a[] = {1, 2, 3};
    double d[] = {0.5, 0.25};
    unsigned char u[] = {200, 100};
    printf("%d %g %d\n", SUM(a), SUM(d), SUM(u));
    typeof(a[0]) x = 5;
    typeof(&x) p = &x;
    typeof(*p) y = *p + 1;
    typeof(int[4]) arr = {1, 2, 3, 4};
    printf("%d %d %d %zu\n", x, *p, y, sizeof arr);
    typeof(sq) *f = sq; printf("%g\n", f(1.5)); typeof(sq(1)) r = 7 / 2; printf("%g\n", r);
    __auto_type l = 1L << 40;
    __auto_type s = "text";
    __auto_type c = (char)'q';
    printf("%ld %s %zu %zu\n", l, s, sizeof l, sizeof c);
    printf("%d %g %ld\n", ABS(-3), ABS(-2.5), ABS(-5000000000L));
    int i = 0;
    typeof(i++) k = 3;
    printf("%d %d\n", i, k);
    typeof(const int *) cp = a;
    printf("%d\n", cp[2]);
    __typeof__(struct { int q; }) anon = {9};
    printf("%d\n", anon.q);
    typedef typeof(d) darr;
    darr e = {1, 2};
    printf("%g\n", e[0] + e[1]);
    (typeof(x))3.9 == 3 ? puts("cast") : 0;
    return sizeof(typeof(1 ? 1 : 2.0));
}
