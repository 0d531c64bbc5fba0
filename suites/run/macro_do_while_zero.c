// Statement-like macros in if/else; several expansions on one line.
#include <stdio.h>
#define SWAP(T, a, b) do { T t_ = (a); (a) = (b); (b) = t_; } while (0)
#define CHECK(c, l) do { if (!(c)) { printf("check %s\n", #c); goto l; } } while (0)
#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define UNLESS(c) if (c) ; else
#define INC2(x) do { (x)++; if ((x) % 7 == 0) break; (x)++; } while (0)
static int f(int v) { CHECK(v > 0, bad); CHECK(v < 10, bad); return v; bad: return -1; }
int main(void) {
    int a = 1, b = 2;
    if (a < b) SWAP(int, a, b);
    else SWAP(int, b, a);
    printf("%d %d\n", a, b);
    double x = 1.5, y = 2.5;
    SWAP(double, x, y);
    printf("%g %g\n", x, y);
    int f5 = f(5), f0 = f(0), f12 = f(12);
    printf("%d %d %d\n", f5, f0, f12);
    int n = 0;
    LOOP(i, 3) LOOP(j, 4) n += i * j;
    printf("%d\n", n);
    UNLESS(n == 0) n++;
    UNLESS(n > 5) n = 100;
    printf("%d\n", n);
    int k = 4;
    LOOP(i, 6) INC2(k);
    printf("%d\n", k);
    return k;
}
