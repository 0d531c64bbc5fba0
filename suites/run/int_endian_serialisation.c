// Writing and reading integers in both byte orders, variable-length and zigzag codes.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static uint8_t *be32(uint8_t *p, uint32_t v) {
    for (int s = 24; s >= 0; s -= 8) *p++ = v >> s;
    return p;
}
static uint8_t *le64(uint8_t *p, uint64_t v) {
    for (int i = 0; i < 8; i++, v >>= 8) *p++ = (uint8_t)v;
    return p;
}
static uint8_t *var(uint8_t *p, uint64_t v) {
    while (v >= 128) { *p++ = v | 128; v >>= 7; }
    *p++ = v;
    return p;
}
static const uint8_t *rvar(const uint8_t *p, uint64_t *v) {
    *v = 0;
    for (int s = 0;; s += 7) {
        *v |= (uint64_t)(*p & 127) << s;
        if (!(*p++ & 128)) return p;
    }
}
static uint64_t zig(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }
static int64_t zag(uint64_t v) { return (int64_t)(v >> 1) ^ -(int64_t)(v & 1); }
int main(void) {
    uint8_t b[128], *p = b;
    p = be32(p, 0x01020304);
    p = le64(p, 0x1122334455667788ull);
    for (int i = 0; i < p - b; i++) printf("%02x", b[i]);
    puts("");
    int64_t vs[] = {0, -1, 1, -64, 64, 300, -2147483648LL, INT64_MAX, INT64_MIN};
    p = b;
    for (int i = 0; i < 9; i++) p = var(p, zig(vs[i]));
    printf("%td\n", p - b);
    const uint8_t *q = b;
    int ok = 0;
    for (int i = 0; i < 9; i++) {
        uint64_t u;
        q = rvar(q, &u);
        ok += zag(u) == vs[i];
    }
    printf("%d\n", ok);
    uint32_t v;
    memcpy(&v, "\x78\x56\x34\x12", 4);
    printf("%x %x\n", v, __builtin_bswap32(v));
    float f = -2.5f;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    printf("%08x\n", bits);
    return ok;
}
