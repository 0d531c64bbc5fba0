// SHA-256 of short messages; constants derived from integer cube roots of primes.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static uint32_t K[64], H0[8]; static uint32_t rr(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint32_t root(unsigned p, int cube) {
    unsigned __int128 lo = 0, hi = (unsigned __int128)1 << 40;
    while (lo + 1 < hi) {
        unsigned __int128 m = (lo + hi) / 2, v = cube ? m * m * m : m * m;
        if (v <= (unsigned __int128)p << (cube ? 96 : 64)) lo = m;
        else hi = m;
    }
    return (uint32_t)lo;
}
static void init(void) {
    int n = 0;
    for (unsigned p = 2; n < 64; p++) {
        int ok = 1;
        for (unsigned d = 2; d * d <= p; d++) ok &= p % d != 0;
        if (!ok) continue;
        if (n < 8) H0[n] = root(p, 0);
        K[n++] = root(p, 1);
    }
}
static void block(uint32_t *h, const uint8_t *b) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)b[4 * i] << 24 | b[4 * i + 1] << 16 | b[4 * i + 2] << 8 | b[4 * i + 3];
    for (int i = 16; i < 64; i++) w[i] = w[i - 16] + w[i - 7] + (rr(w[i - 15], 7) ^ rr(w[i - 15], 18) ^ w[i - 15] >> 3) + (rr(w[i - 2], 17) ^ rr(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, 32);
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = s[7] + (rr(s[4], 6) ^ rr(s[4], 11) ^ rr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i], t2 = (rr(s[0], 2) ^ rr(s[0], 13) ^ rr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 28);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += s[i];
}
static uint32_t sha(const char *m) {
    uint32_t h[8];
    memcpy(h, H0, 32);
    size_t n = strlen(m);
    uint8_t b[64];
    size_t i = 0;
    for (; i + 64 <= n; i += 64) block(h, (const uint8_t *)m + i);
    memset(b, 0, 64);
    memcpy(b, m + i, n - i);
    b[n - i] = 0x80;
    if (n - i >= 56) { block(h, b); memset(b, 0, 64); }
    for (int k = 0; k < 8; k++) b[63 - k] = (uint64_t)n * 8 >> (8 * k);
    block(h, b);
    for (int k = 0; k < 8; k++) printf("%08x", h[k]);
    puts("");
    return h[0];
}
int main(void) {
    init();
    sha("");
    uint32_t a = sha("abc");
    sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq");
    sha("a message that is longer than one block of sixty-four bytes, so two are needed");
    return a == 0xba7816bfu ? 0 : 1;
}
