// The right operand may be wider than the target; lvalue evaluated once.
#include <stdio.h>
static int calls;
static int idx(void) { calls++; return calls % 4; }
int main(void) {
    int a[4] = {1, 2, 3, 4};
    a[idx()] += 10; a[idx()] *= 10; a[idx()] -= 10; a[idx()] <<= 2;
    printf("%d %d %d %d calls %d\n", a[0], a[1], a[2], a[3], calls);
    int i = 1; i += 0x100000001LL; printf("%d\n", i);
    i = 100; i = i - 4294967297LL * 3; printf("%d\n", i);
    unsigned short s = 60000; s += 60000; printf("%u\n", s);
    s ^= 0x1ffffffffLL; printf("%u\n", s);
    int sh = 1; sh <<= 20LL; printf("%d\n", sh);
    unsigned long ul = 5; ul -= 6u; printf("%lu\n", ul);
    int neg = -8; neg /= 2u; printf("%d\n", neg);
    neg = -8; neg /= 2; printf("%d\n", neg);
    long ln = -8; ln /= 2u; printf("%ld\n", ln);
    neg = -8; neg >>= 1u; printf("%d\n", neg);
    int *p = a; p += 2; p -= 1; *p++ += 100; printf("%d %d\n", *p, a[1]);
    return calls;
}
