// Popcount, reversal, powers of two, swaps, without builtins.
#include <stdio.h>
#include <stdint.h>
static int pop(uint32_t x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }
static uint32_t rev(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}
static uint32_t up2(uint32_t x) {
    x--;
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return x + 1;
}
static uint32_t gray(uint32_t x) { return x ^ x >> 1; }
static uint32_t ungray(uint32_t g) { for (int s = 1; s < 32; s <<= 1) g ^= g >> s; return g; }
static uint64_t morton(uint32_t x, uint32_t y) {
    uint64_t r = 0;
    for (int i = 0; i < 32; i++) r |= (uint64_t)(x >> i & 1) << (2 * i) | (uint64_t)(y >> i & 1) << (2 * i + 1);
    return r;
}
int main(void) {
    for (uint32_t x = 1; x < 4000000000u; x = x * 7 + 3) {
        printf("%u pop %d rev %08x up %u gray %u\n", x, pop(x), rev(x), x < 0x80000000u ? up2(x) : 0, gray(x));
        if (ungray(gray(x)) != x || rev(rev(x)) != x) return 1;
        if (x > 500000000u) break;
    }
    printf("%llx\n", (unsigned long long)morton(0xdeadbeef, 0x01234567));
    int a = 12, b = 34; a ^= b; b ^= a; a ^= b; printf("%d %d\n", a, b);
    int mask = -(a > b); printf("%d\n", (a & mask) | (b & ~mask));
    return pop(0xffu);
}
