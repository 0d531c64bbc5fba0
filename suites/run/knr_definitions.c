// Old-style definitions with default argument promotions and implicit int.
#include <stdio.h>
int add(a, b) int a, b; { return a + b; }
mixed(c, s, f, p) char c; short s; float f; char *p; { return c + s + (int)(f * 2) + p[0]; }
static long wide(l, n) long l; { return l * n; }
double avg(v, n) double v[]; int n; { double s = 0; int i; for (i = 0; i < n; i++) s += v[i]; return s / n; }
struct s { int x, y; }; struct s flip(p) struct s p; { struct s r; r.x = p.y; r.y = p.x; return r; }
noargs() { return 17; }
static apply(f, x) int (*f)(); { return f(x, 3); }
main() {
    double v[3] = {1, 2, 6}; struct s p = {1, 2}; auto k = 4; register r = 5; static st = 6;
    printf("%d\n", add(2, 3)); printf("%d\n", mixed('a', -10, 1.5, "A"));
    printf("%ld %g\n", wide(1L << 33, 2), avg(v, 3));
    p = flip(p); printf("%d %d\n", p.x, p.y);
    printf("%d %d %d\n", noargs(), apply(add, 10), k + r + st);
    return noargs();
}
