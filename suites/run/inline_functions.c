// static inline, extern inline, gnu_inline, always_inline, noinline, flatten.
#include <stdio.h>
static inline int sq(int x) { return x * x; }
inline int ext(int x) { return x + 1; }
extern inline int ext(int x);
static inline __attribute__((always_inline)) int ai(int *p) { return ++*p; }
__attribute__((noinline)) static int ni(int x) { return x ? x + ni(x - 1) : 0; }
extern inline __attribute__((gnu_inline, always_inline)) int gi(int x) { return x * 7; }
static inline int rec(int n) { return n < 2 ? 1 : n * rec(n - 1); }
__attribute__((flatten, pure)) static int fl(int x) { return sq(x) + sq(x + 1); }
static inline int counter(void) { static int c; return ++c; }
__attribute__((const)) static int k(int x) { return x ^ 0x55; }
__attribute__((noreturn)) static void stop(int c) {
    printf("stop %d\n", c);
    __builtin_exit(c);
}
static _Noreturn void stop2(int c) { stop(c + 1); }
int main(void) {
    int v = 3;
    printf("%d %d\n", sq(v), ext(v));
    printf("%d\n", ai(&v));
    int (*p)(int) = sq;
    printf("%d %d %d %d\n", p(9), ni(10), gi(6), rec(6));
    counter();
    counter();
    printf("%d %d %d\n", counter(), fl(2), k(k(9)));
    if (v == 4) stop2(v);
    return 1;
}
