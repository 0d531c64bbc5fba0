// clz, ctz, popcount, parity, ffs, clrsb, bswap in all widths.
#include <stdio.h>
int main(void) {
    unsigned xs[] = {1, 2, 3, 0x80000000u, 0xffffffffu, 0x00f0, 12345678, 0x10000};
    for (unsigned i = 0; i < 8; i++) {
        unsigned x = xs[i];
        printf("%x: %d %d %d %d %d %d %x\n", x, __builtin_clz(x), __builtin_ctz(x), __builtin_popcount(x), __builtin_parity(x), __builtin_ffs(x), __builtin_clrsb(x), __builtin_bswap32(x));
    }
    unsigned long ys[] = {1, 1ul << 63, 0xff00ff00ff00ul, ~0ul, 0x123456789abcdef0ul};
    for (unsigned i = 0; i < 5; i++) {
        unsigned long y = ys[i];
        printf("%lx: %d %d %d %d %d %lx\n", y, __builtin_clzl(y), __builtin_ctzl(y), __builtin_popcountl(y), __builtin_parityl(y), __builtin_ffsl(y), __builtin_bswap64(y));
    }
    printf("%d %d %d\n", __builtin_clzll(5ull), __builtin_ctzll(1ull << 40), __builtin_popcountll(-1ll));
    printf("%d %d %x\n", __builtin_ffs(0), __builtin_ffsll(0), __builtin_bswap16(0x1234));
    printf("%d %d\n", __builtin_clrsb(0), __builtin_clrsbl(-1L));
    int log2 = 31 - __builtin_clz(1000); return log2;
}
