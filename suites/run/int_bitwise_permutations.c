// Next permutation of bits, Gosper's hack, de Bruijn index, transposition of an 8x8 bit matrix.
#include <stdio.h>
#include <stdint.h>
static uint32_t next(uint32_t v) {
    uint32_t c = v & -v, r = v + c;
    return ((r ^ v) >> 2) / c | r;
}
static int debruijn(uint32_t v) {
    static const unsigned char t[32] = {0, 1, 28, 2, 29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4, 8, 31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6, 11, 5, 10, 9};
    return t[(v & -v) * 0x077cb531u >> 27];
}
static uint64_t tr8(uint64_t x) {
    uint64_t t;
    t = (x ^ x >> 7) & 0x00aa00aa00aa00aaull;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccull;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0ull;
    return x ^ t ^ t << 28;
}
static unsigned parity(unsigned x) {
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return 0x6996 >> (x & 15) & 1;
}
int main(void) {
    int n = 0;
    uint32_t v = 7;
    for (; v < 128; v = next(v)) n++;
    printf("%d %x\n", n, v);
    int ok = 0;
    for (int i = 0; i < 32; i++) ok += debruijn(0xffffffffu << i) == i;
    printf("%d\n", ok);
    uint64_t m = 0x0123456789abcdefull;
    printf("%016llx %d\n", (unsigned long long)tr8(m), tr8(tr8(m)) == m);
    unsigned p = 0;
    for (unsigned i = 0; i < 1000; i++) p += parity(i * 2654435761u);
    printf("%u\n", p);
    return n;
}
