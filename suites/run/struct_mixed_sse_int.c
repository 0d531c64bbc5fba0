// Classes of the calling convention: mixed integer and floating eightbytes, many arguments.
#include <stdio.h>
struct a { double d; long l; };
struct b { float f; int i; };
struct c { float f[2]; float g; int n; };
struct d { char c; float f; double g; };
struct e { long double x; }; struct f { double a, b; }; struct g { float f; };
static struct a fa(struct a x, struct b y, struct c z, struct d w, int n, double q, struct e le, struct f ff, struct g gg) {
    printf("%g %ld | %g %d | %g %g %g %d | %c %g %g | %d %g | %Lg | %g %g | %g\n", x.d, x.l, y.f, y.i, z.f[0], z.f[1], z.g, z.n, w.c, w.f, w.g, n, q, le.x, ff.a, ff.b, gg.f);
    return (struct a){x.d + y.f + z.g + w.g + q + ff.b + gg.f, x.l + y.i + z.n + w.c + n};
}
static struct b fb(struct b x) { x.f += x.i; x.i *= 2; return x; }
static struct c fc(int a1, int a2, int a3, int a4, int a5, int a6, struct c x, int a7) {
    x.n += a1 + a2 + a3 + a4 + a5 + a6 + a7;
    x.f[1] *= 2;
    return x;
}
static struct e fe(struct e x) { x.x += 1; return x; }
static struct g fg(struct g x) { x.f = -x.f; return x; }
int main(void) {
    struct a r = fa((struct a){1.5, 2}, (struct b){2.5f, 3}, (struct c){{1, 2}, 3.5f, 4}, (struct d){'A', 4.5f, 5.5}, 6, 7.5, (struct e){8.5L}, (struct f){9, 10}, (struct g){11.5f});
    printf("%g %ld\n", r.d, r.l);
    struct b b = fb((struct b){0.5f, 4}); printf("%g %d\n", b.f, b.i);
    struct c c = fc(1, 2, 3, 4, 5, 6, (struct c){{1, 2}, 3, 100}, 7); printf("%g %g %d\n", c.f[1], c.g, c.n);
    printf("%Lg %g\n", fe((struct e){1.25L}).x, fg((struct g){2}).f);
    return c.n;
}
