// Long chains of mixed-width assignments.
#include <stdio.h>
#include <stdint.h>
int main(void) {
    uint64_t h = 1;
    int8_t a = -1;
    uint8_t b = 1;
    int16_t c = -300;
    uint16_t d = 40000;
    int32_t e = -70000;
    uint32_t f = 3000000000u;
    int64_t g = -5000000000LL;
    for (int i = 0; i < 200; i++) {
        a = (int8_t)(b + c);
        b = (uint8_t)(d - e % 1000);
        c = (int16_t)(f >> 7) ^ a;
        d = (uint16_t)(g * 3) + b;
        e = (int32_t)(f ^ d) / (b | 1);
        f = f * 5u + (uint32_t)c;
        g = (g ^ (int64_t)f << 13) + (a < 0 ? -e / 2 : e / 3) * 1LL;
        g &= 0x3fffffffffffffffLL;
        h = h * 1099511628211ull ^ (uint8_t)a ^ b ^ (uint16_t)c ^ d ^ (uint32_t)e ^ f ^ (uint64_t)g;
    }
    printf("%d %u %d %u %d %u %lld %016llx\n", a, b, c, d, e, f, (long long)g, (unsigned long long)h);
    printf("%d\n", (a < b) + (c < d) + (e < (int)f) + (g < (int64_t)h));
    return b & 0x7f;
}
