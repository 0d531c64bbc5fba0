// Saturating and averaging arithmetic in narrow types.
#include <stdio.h>
#include <stdint.h>
static uint8_t addu(uint8_t a, uint8_t b) { unsigned s = a + b; return s > 255 ? 255 : s; }
static int8_t adds(int8_t a, int8_t b) {
    int s = a + b;
    return s > 127 ? 127 : s < -128 ? -128 : s;
}
static uint8_t subu(uint8_t a, uint8_t b) { return a > b ? a - b : 0; }
static uint32_t avg(uint32_t a, uint32_t b) { return (a & b) + ((a ^ b) >> 1); }
static int32_t mid(int32_t a, int32_t b) { return (int32_t)(((int64_t)a + b) >> 1); }
static int16_t q15(int16_t a, int16_t b) {
    int32_t p = ((int32_t)a * b + 0x4000) >> 15;
    return p > 32767 ? 32767 : p;
}
static uint8_t blend(uint8_t a, uint8_t b, uint8_t t) {
    return (a * (255 - t) + b * t + 127) / 255;
}
int main(void) {
    unsigned h = 0;
    for (int a = 0; a < 256; a += 5) for (int b = 0; b < 256; b += 7) {
        h = h * 31 + addu(a, b);
        h = h * 31 + (uint8_t)adds((int8_t)a, (int8_t)b);
        h = h * 31 + subu(a, b);
        h = h * 31 + blend(a, b, a ^ b);
    }
    printf("%u\n", h);
    printf("%u %u\n", avg(4294967295u, 4294967293u), avg(1, 2));
    printf("%d %d\n", mid(2147483647, 2147483645), mid(-5, 2));
    printf("%d %d %d\n", q15(-32768, -32768), q15(16384, 16384), q15(-1, 1));
    printf("%d %d\n", adds(-128, -128), addu(200, 100));
    return blend(0, 255, 100);
}
