// Shifts of all widths; the type of the result is that of the promoted left operand.
#include <stdio.h>
int main(void) {
    unsigned char c = 0x81;
    unsigned short s = 0x8001;
    unsigned u = 0x80000001u;
    unsigned long l = 0x8000000000000001ul;
    printf("%x %x %x %lx\n", c << 1, s << 1, u << 1, l << 1);
    printf("%x %x %x %lx\n", c >> 1, s >> 1, u >> 1, l >> 1);
    printf("%zu %zu %zu\n", sizeof(c << 1), sizeof(s << 40L * 0), sizeof(1 << 1LL));
    int neg = -64; long lneg = -1L;
    printf("%d %d %d %ld\n", neg >> 1, neg >> 3, neg >> 31, lneg >> 63);
    signed char sc = -100; short sh = -1000;
    printf("%d %d\n", sc >> 2, sh >> 4);
    unsigned acc = 0;
    for (int i = 0; i < 32; i++) acc ^= (0x12345678u >> i) << (i % 7);
    printf("%08x\n", acc);
    unsigned long long w = 0;
    for (unsigned char i = 0; i < 64; i++) w |= (unsigned long long)(i % 3 == 0) << i;
    printf("%016llx\n", w);
    c <<= 4; s <<= 4; u <<= 4; l <<= 4;
    printf("%x %x %x %lx\n", c, s, u, l);
    c >>= 4; s >>= 4; u >>= 4; l >>= 4;
    printf("%x %x %x %lx\n", c, s, u, l);
    return c;
}
