// The empty asm as an optimisation barrier.
#include <stdio.h>
#define HIDE(x) asm volatile("" : "+r"(x))
#define BARRIER() __asm__ __volatile__("" ::: "memory")
static int g; static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i; HIDE(s); } return s; }
int main(void) {
    int x = 5;
    HIDE(x);
    printf("%d\n", x * 2);
    g = 1;
    BARRIER();
    g++;
    BARRIER();
    printf("%d\n", g);
    long l = -1;
    HIDE(l);
    printf("%ld\n", l >> 63);
    int *p = &g;
    HIDE(p);
    *p += 40;
    printf("%d\n", g);
    printf("%d\n", sum(100));
    unsigned char c = 250;
    HIDE(c);
    c += 10;
    printf("%d\n", c);
    asm("");
    asm volatile("" : : "r"(x), "m"(g));
    return g;
}
