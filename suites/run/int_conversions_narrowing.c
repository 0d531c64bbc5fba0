// Narrowing keeps the low bits, widening extends by the source's sign.
#include <stdio.h>
int main(void) {
    long long v[] = {0, 127, 128, 255, 256, -1, -128, -129, 32768, 65535, 65536, 2147483648LL, 4294967295LL, -4294967296LL, 0x123456789abcdefLL};
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        signed char c = (signed char)v[i]; unsigned char uc = v[i]; short s = v[i]; unsigned short us = v[i];
        int n = v[i]; unsigned un = v[i];
        printf("%d %u %d %u %d %u\n", c, uc, s, us, n, un);
        long long back = (long long)c + uc + s + us + n + un;
        printf("  %lld\n", back);
    }
    signed char sc = -2;
    unsigned short us = sc; unsigned u = sc; unsigned long ul = sc; unsigned long viau = (unsigned)sc;
    printf("%u %u %lu %lu\n", us, u, ul, viau);
    unsigned char uc = 200; signed char back = uc; int wide = back;
    printf("%d %d\n", back, wide);
    return (unsigned char)(sc + 10);
}
