// Rotations and masks with amounts known only at run time.
#include <stdio.h>
#include <stdint.h>
static uint32_t rol(uint32_t x, unsigned n) { n &= 31; return n ? x << n | x >> (32 - n) : x; }
static uint64_t ror64(uint64_t x, unsigned n) { n &= 63; return n ? x >> n | x << (64 - n) : x; }
static uint8_t rol8(uint8_t x, unsigned n) { n &= 7; return (uint8_t)(x << n | x >> ((8 - n) & 7)); }
static int32_t sar(int32_t x, unsigned n) { return x >> n; }
int main(void) {
    uint32_t a = 0xdeadbeef; uint64_t b = 0x0123456789abcdefull; uint8_t c = 0xb1;
    for (unsigned n = 0; n <= 64; n += 5)
        printf("%2u %08x %016llx %02x\n", n, rol(a, n), (unsigned long long)ror64(b, n), rol8(c, n));
    for (unsigned n = 0; n < 32; n += 6) printf("%d ", sar(-123456789, n));
    putchar('\n');
    uint32_t mask = 0;
    for (unsigned n = 0; n < 32; n++) mask += n < 31 ? (1u << n) : 0;
    printf("%u\n", mask);
    return rol(1, 5);
}
