// Structs of many sizes as arguments and results.
#include <stdio.h>
struct s1 { char a; }; struct s2 { short a; char b; }; struct s8 { int a, b; }; struct s12 { int a, b, c; };
struct s16 { long a, b; };
struct s24 { long a, b, c; };
struct sf { float x, y, z; };
struct sd { double x; int n; };
struct big { int a[20]; };
static struct s1 f1(struct s1 x) { x.a++; return x; }
static struct s2 f2(struct s2 x) { x.a *= 2; x.b--; return x; }
static struct s8 f8(struct s8 x) { return (struct s8){x.b, x.a}; }
static struct s12 f12(struct s12 x, int k) { x.a += k; x.b += k; x.c += k; return x; }
static struct s16 f16(struct s16 x) { x.a ^= x.b; return x; }
static struct s24 f24(struct s24 x, struct s24 y) { x.a += y.a; x.b += y.b; x.c += y.c; return x; }
static struct sf ff(struct sf v, float k) { v.x *= k; v.y *= k; v.z *= k; return v; }
static struct sd fd(int n, struct sd v) { v.x /= n; v.n += n; return v; }
static struct big fb(struct big b, int i) { b.a[i] = i * i; return b; }
int main(void) {
    struct s1 a = f1((struct s1){'a'});
    struct s2 b = f2((struct s2){100, 'z'});
    struct s8 c = f8((struct s8){1, 2});
    struct s12 d = f12((struct s12){1, 2, 3}, 10);
    struct s16 e = f16((struct s16){5, 3});
    struct s24 f = f24((struct s24){1, 2, 3}, (struct s24){10, 20, 30});
    printf("%c %d %c %d %d %d %d %d\n", a.a, b.a, b.b, c.a, c.b, d.a, d.b, d.c);
    printf("%ld %ld %ld %ld %ld\n", e.a, e.b, f.a, f.b, f.c);
    struct sf v = ff((struct sf){1, 2, 3}, 1.5f); struct sd w = fd(4, (struct sd){10, 1});
    printf("%g %g %g %g %d\n", v.x, v.y, v.z, w.x, w.n);
    struct big z = {{0}}; for (int i = 0; i < 20; i++) z = fb(z, i);
    int s = 0; for (int i = 0; i < 20; i++) s += z.a[i];
    printf("%d\n", s);
    return f12(d, 1).c;
}
