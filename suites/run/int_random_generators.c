// Linear congruential, xorshift, multiply-with-carry and a small twister.
#include <stdio.h>
#include <stdint.h>
static uint32_t lcg(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }
static uint32_t xs(uint32_t *s) {
    uint32_t x = *s;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *s = x;
}
static uint64_t xs64(uint64_t *s) {
    uint64_t x = *s;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *s = x;
    return x * 2685821657736338717ull;
}
static uint32_t mwc(uint64_t *s) {
    *s = (*s & 0xffffffff) * 4294957665ull + (*s >> 32);
    return (uint32_t)*s;
}
static uint64_t splitmix(uint64_t *s) {
    uint64_t z = *s += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
int main(void) {
    uint32_t a = 1, b = 2463534242u;
    uint64_t c = 88172645463325252ull, d = 12345, e = 0;
    for (int i = 0; i < 5; i++) {
        uint32_t w = lcg(&a), x = xs(&b), m = mwc(&d);
        uint64_t y = xs64(&c), z = splitmix(&e);
        printf("%u %u %016llx %u %016llx\n", w, x, (unsigned long long)y, m, (unsigned long long)z);
    }
    int hist[6] = {0};
    for (int i = 0; i < 6000; i++) hist[xs(&b) % 6]++;
    for (int i = 0; i < 6; i++) printf("%d ", hist[i]);
    puts("");
    uint32_t h = 0;
    for (int i = 0; i < 100000; i++) h ^= lcg(&a);
    printf("%u\n", h);
    return h & 0x7f;
}
