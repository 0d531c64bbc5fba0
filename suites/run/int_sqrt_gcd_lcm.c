// Integer square roots, gcd variants, binomials, Catalan numbers.
#include <stdio.h>
static unsigned isqrt(unsigned long n) {
    unsigned long lo = 0, hi = 4294967295ul;
    while (lo < hi) {
        unsigned long m = lo + (hi - lo + 1) / 2;
        if (m * m <= n) lo = m;
        else hi = m - 1;
    }
    return lo;
}
static unsigned isqrt2(unsigned n) {
    unsigned r = 0;
    for (unsigned b = 1u << 30; b; b >>= 2) {
        if (n >= r + b) { n -= r + b; r = (r >> 1) + b; } else r >>= 1;
    }
    return r;
}
static unsigned bgcd(unsigned a, unsigned b) {
    if (!a || !b) return a | b;
    int s = 0;
    while (!((a | b) & 1)) {
        a >>= 1;
        b >>= 1;
        s++;
    }
    while (!(a & 1)) a >>= 1;
    while (b) {
        while (!(b & 1)) b >>= 1;
        if (a > b) {
            unsigned t = a;
            a = b;
            b = t;
        }
        b -= a;
    }
    return a << s;
}
static unsigned long binom(int n, int k) {
    unsigned long r = 1;
    for (int i = 1; i <= k; i++) r = r * (n - k + i) / i;
    return r;
}
int main(void) {
    for (unsigned n = 0; n < 4000000000u; n = n * 3 + 7) {
        if (isqrt(n) != isqrt2(n)) return 1;
        printf("%u ", isqrt2(n));
        if (n > 1000000000u) break;
    }
    puts("");
    printf("%u %u %u\n", isqrt(18446744073709551615ul), bgcd(48, 180), bgcd(1 << 20, 12));
    for (int i = 0; i < 12; i++) printf("%lu ", binom(2 * i, i) / (i + 1));
    puts("");
    unsigned long l = 1;
    for (unsigned i = 1; i <= 20; i++) l = l / bgcd(l % i, i) * i;
    printf("%lu\n", l);
    return isqrt(1000);
}
