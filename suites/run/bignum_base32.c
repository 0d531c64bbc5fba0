// Big binary numbers in 32-bit limbs: division by a small number, shifts, comparison.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#define L 16
typedef struct { uint32_t w[L]; } big;
static void mulsmall(big *a, uint32_t m, uint32_t add) {
    uint64_t c = add;
    for (int i = 0; i < L; i++) {
        c += (uint64_t)a->w[i] * m;
        a->w[i] = (uint32_t)c;
        c >>= 32;
    }
}
static uint32_t divsmall(big *a, uint32_t d) {
    uint64_t r = 0;
    for (int i = L; i--;) {
        r = r << 32 | a->w[i];
        a->w[i] = (uint32_t)(r / d);
        r %= d;
    }
    return (uint32_t)r;
}
static int zero(const big *a) {
    for (int i = 0; i < L; i++) if (a->w[i]) return 0;
    return 1;
}
static void shl(big *a, unsigned k) {
    for (int i = L; i--;) {
        unsigned s = k / 32, b = k % 32;
        uint32_t v = (unsigned)i >= s ? a->w[i - s] << b : 0;
        if (b && (unsigned)i > s) v |= a->w[i - s - 1] >> (32 - b);
        a->w[i] = v;
    }
}
static int cmp(const big *a, const big *b) {
    for (int i = L; i--;) if (a->w[i] != b->w[i]) return a->w[i] < b->w[i] ? -1 : 1;
    return 0;
}
static void sub(big *a, const big *b) {
    int64_t c = 0;
    for (int i = 0; i < L; i++) {
        c += (int64_t)a->w[i] - b->w[i];
        a->w[i] = (uint32_t)c;
        c = c < 0 ? -1 : 0;
    }
}
static void parse(big *a, const char *s) {
    memset(a, 0, sizeof *a);
    while (*s) mulsmall(a, 10, *s++ - '0');
}
static void show(big a) {
    char b[200];
    int n = sizeof b;
    b[--n] = 0;
    do b[--n] = '0' + divsmall(&a, 10);
    while (!zero(&a));
    puts(b + n);
}
int main(void) {
    big a, b;
    parse(&a, "123456789012345678901234567890123456789");
    show(a);
    parse(&b, "98765432109876543210");
    printf("%d %d %d\n", cmp(&a, &b), cmp(&b, &a), cmp(&a, &a));
    sub(&a, &b);
    show(a);
    shl(&b, 67);
    show(b);
    uint32_t r = divsmall(&b, 1000003);
    show(b);
    printf("%u\n", r);
    return r % 251;
}
