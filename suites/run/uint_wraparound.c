// Unsigned arithmetic is modulo 2^N at every width.
#include <stdio.h>
#include <stdint.h>
int main(void) {
    uint8_t a = 250; uint16_t b = 65530; uint32_t c = 4294967290u; uint64_t d = 18446744073709551610ull;
    for (int i = 0; i < 10; i++) { a++; b++; c++; d++; }
    printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    a -= 10; b -= 10; c -= 10; d -= 10;
    printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    a *= 3; b *= 3; c *= 3; d *= 3;
    printf("%u %u %u %llu\n", a, b, c, (unsigned long long)d);
    uint32_t h = 2166136261u;
    for (const char *s = "wrap me around"; *s; s++) { h ^= (unsigned char)*s; h *= 16777619u; }
    printf("%08x\n", h);
    uint64_t g = 14695981039346656037ull;
    for (const char *s = "wrap me around"; *s; s++) { g ^= (unsigned char)*s; g *= 1099511628211ull; }
    printf("%016llx\n", (unsigned long long)g);
    printf("%u\n", 0u - 1u);
    printf("%d\n", -1u > 0);
    return (int)(h % 100);
}
