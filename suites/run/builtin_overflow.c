// Checked arithmetic: add, sub, mul with result type of choice.
#include <stdio.h>
#include <limits.h>
int main(void) {
    int r; long l; unsigned u; signed char c; unsigned char uc; long long ll; _Bool o;
    o = __builtin_add_overflow(INT_MAX, 1, &r);
    printf("%d %d\n", o, r);
    o = __builtin_add_overflow(INT_MAX, 1, &l);
    printf("%d %ld\n", o, l);
    o = __builtin_sub_overflow(0, 1, &u);
    printf("%d %u\n", o, u);
    o = __builtin_sub_overflow(INT_MIN, 1, &r);
    printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(65536, 65536, &r);
    printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(65536, 65536, &u);
    printf("%d %u\n", o, u);
    o = __builtin_mul_overflow(1L << 40, 1L << 30, &l);
    printf("%d %ld\n", o, l);
    o = __builtin_add_overflow(100, 50, &c);
    printf("%d %d\n", o, c);
    o = __builtin_add_overflow(200, 50, &uc);
    printf("%d %d\n", o, uc);
    o = __builtin_sub_overflow(-1, 0, &uc);
    printf("%d %d\n", o, uc);
    o = __builtin_add_overflow(-1, 1u, &r);
    printf("%d %d\n", o, r);
    o = __builtin_mul_overflow(-1, 4000000000u, &ll);
    printf("%d %lld\n", o, ll);
    o = __builtin_sadd_overflow(1, 2, &r);
    printf("%d %d\n", o, r);
    o = __builtin_umul_overflow(3u, 0x80000000u, &u);
    printf("%d %u\n", o, u);
    unsigned long ul;
    o = __builtin_uaddl_overflow(~0ul, 2, &ul);
    printf("%d %lu\n", o, ul);
    o = __builtin_smulll_overflow(LLONG_MAX, 2, &ll);
    printf("%d %lld\n", o, ll);
    printf("%d %d\n", __builtin_add_overflow_p(INT_MAX, 1, (int)0), __builtin_mul_overflow_p(2, 3, (char)0));
    int n = 0, acc = 1;
    while (!__builtin_mul_overflow(acc, 3, &acc)) n++;
    printf("%d\n", n);
    return n;
}
