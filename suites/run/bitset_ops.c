// Bit sets over words: set algebra, iteration, sieve.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#define W(n) (((n) + 63) / 64)
static void set(uint64_t *b, unsigned i) { b[i / 64] |= 1ull << i % 64; }
static void clr(uint64_t *b, unsigned i) { b[i / 64] &= ~(1ull << i % 64); }
static int has(const uint64_t *b, unsigned i) { return b[i / 64] >> i % 64 & 1; }
static int count(const uint64_t *b, int n) {
    int c = 0;
    while (n--) for (uint64_t x = b[n]; x; x &= x - 1) c++;
    return c;
}
static int next(const uint64_t *b, int n, int i) {
    for (i++; i < n * 64; i++) if (has(b, i)) return i;
    return -1;
}
int main(void) {
    uint64_t a[4] = {0}, b[4] = {0}, c[4];
    for (int i = 0; i < 200; i += 3) set(a, i);
    for (int i = 0; i < 200; i += 5) set(b, i);
    for (int i = 0; i < 4; i++) c[i] = a[i] & b[i];
    printf("%d %d %d\n", count(a, 4), count(b, 4), count(c, 4));
    for (int i = next(c, 4, -1); i >= 0; i = next(c, 4, i)) printf("%d ", i);
    puts("");
    for (int i = 0; i < 4; i++) c[i] = a[i] ^ b[i];
    printf("%d\n", count(c, 4));
    clr(a, 3);
    clr(a, 4);
    printf("%d %d %d\n", has(a, 3), has(a, 6), count(a, 4));
    uint64_t s[W(1000)];
    memset(s, 0xff, sizeof s);
    clr(s, 0);
    clr(s, 1);
    for (unsigned i = 2; i < 1000; i++) if (has(s, i)) for (unsigned j = 2 * i; j < 1000; j += i) clr(s, j);
    int p = 0;
    for (int i = 0; i < 1000; i++) p += has(s, i);
    printf("%d\n", p);
    return p;
}
