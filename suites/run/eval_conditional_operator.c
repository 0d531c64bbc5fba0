// ?: evaluates one arm; nesting, types, and the GNU form with an omitted operand.
#include <stdio.h>
static int calls; static int f(int x) { calls++; return x; }
int main(void) {
    int a = 1 ? f(2) : f(3); printf("%d %d\n", a, calls);
    for (int i = 0; i < 6; i++) printf("%s ", i % 3 == 0 ? "fizz" : i % 3 == 1 ? i > 2 ? "big" : "small" : "two");
    puts("");
    calls = 0; int g = f(7) ?: f(8); int h = f(0) ?: f(9); printf("%d %d %d\n", g, h, calls);
    char *name = 0; printf("%s %s\n", name ?: "anon", "given" ?: "anon");
    int x = 5, y = 6; *(x > y ? &x : &y) = 0; printf("%d %d\n", x, y);
    long l = 0 ? 1 : -1; unsigned u = 1; printf("%ld %d\n", l, (1 ? -1 : u) > 0);
    double d = a > 1 ? 1 : 0.5; printf("%g\n", d); void *vp = x ? (void *)&x : 0; printf("%d\n", *(int *)vp);
    (x ? f : 0) ? printf("fn %d\n", (x ? f : 0)(3)) : 0;
    int n = 0; n++ ?: n++; printf("%d\n", n); n++ ?: n++; printf("%d\n", n);
    x ? (void)(y = 10) : (void)(y = 20); printf("%d\n", y);
    return calls;
}
