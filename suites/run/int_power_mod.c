// Modular arithmetic: power, inverse, Miller-Rabin on 32-bit numbers.
#include <stdio.h>
#include <stdint.h>
static uint64_t pw(uint64_t b, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    for (b %= m; e; e >>= 1, b = b * b % m) if (e & 1) r = r * b % m;
    return r;
}
static long inv(long a, long m) {
    long t = 0, nt = 1, r = m, nr = a % m;
    while (nr) {
        long q = r / nr, x = t - q * nt;
        t = nt;
        nt = x;
        x = r - q * nr;
        r = nr;
        nr = x;
    }
    return r > 1 ? -1 : t < 0 ? t + m : t;
}
static int prime(uint32_t n) {
    if (n < 2) return 0;
    for (uint32_t p = 2; p < 20; p++) if (n % p == 0) return n == p;
    uint32_t d = n - 1;
    int s = 0;
    while (!(d & 1)) { d >>= 1; s++; }
    static const int bs[] = {2, 7, 61};
    for (int i = 0; i < 3; i++) {
        uint64_t x = pw(bs[i], d, n);
        if (x == 1 || x == n - 1) continue;
        int ok = 0;
        for (int k = 1; k < s && !ok; k++) { x = x * x % n; ok = x == n - 1; }
        if (!ok) return 0;
    }
    return 1;
}
int main(void) {
    printf("%llu %llu\n", (unsigned long long)pw(2, 100, 1000007), (unsigned long long)pw(3, 1u << 31, 4294967291u));
    printf("%ld %ld %ld\n", inv(3, 11), inv(10, 17), inv(6, 9));
    int c = 0;
    for (uint32_t n = 4294967295u; c < 5; n--) if (prime(n)) { printf("%u ", n); c++; }
    puts("");
    c = 0;
    for (uint32_t n = 0; n < 2000; n++) c += prime(n);
    printf("%d\n", c);
    return c & 0xff;
}
