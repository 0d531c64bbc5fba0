// & | ^ ~ with signed and unsigned operands of mixed width.
#include <stdio.h>
int main(void) {
    unsigned a = 0xf0f0f0f0u, b = 0x12345678u; int n = -2; long l = 0x0f; unsigned char c = 0xaa;
    printf("%08x %08x %08x %08x\n", a & b, a | b, a ^ b, ~a);
    printf("%d %d %d %d\n", n & 0xff, n | 1, n ^ 5, ~n);
    printf("%lx %lx %lx\n", n & l, n | l, n ^ l);
    printf("%lx %lx\n", a | -1L, a & -1L);
    printf("%x %x %x\n", c & ~0x0f, c ^ 0xff, (unsigned char)~c);
    unsigned x = 0;
    for (int i = 0; i < 32; i += 3) x |= 1u << i;
    for (int i = 0; i < 32; i += 6) x &= ~(1u << i);
    for (int i = 0; i < 32; i += 5) x ^= 1u << i;
    printf("%08x\n", x);
    int lowest = x & -x, cleared = x & (x - 1);
    printf("%x %x\n", lowest, cleared);
    unsigned y = a; y &= b; y |= 3; y ^= 0xffff; printf("%x\n", y);
    printf("%d %d\n", 6 & 3 == 3, (6 & 3) == 2);
    return (x ^ y) & 0x7f;
}
