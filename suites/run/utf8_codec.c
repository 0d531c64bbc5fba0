// UTF-8 decoding with validation, encoding, counting.
#include <stdio.h>
#include <string.h>
static int enc(unsigned c, char *o) {
    if (c < 0x80) { o[0] = c; return 1; }
    if (c < 0x800) {
        o[0] = 0xc0 | c >> 6;
        o[1] = 0x80 | (c & 63);
        return 2;
    }
    if (c < 0x10000) {
        o[0] = 0xe0 | c >> 12;
        o[1] = 0x80 | (c >> 6 & 63);
        o[2] = 0x80 | (c & 63);
        return 3;
    }
    o[0] = 0xf0 | c >> 18;
    o[1] = 0x80 | (c >> 12 & 63);
    o[2] = 0x80 | (c >> 6 & 63);
    o[3] = 0x80 | (c & 63);
    return 4;
}
static int dec(const char *s, unsigned *c) {
    unsigned char b = *s;
    int n = b < 0x80 ? 1 : b >> 5 == 6 ? 2 : b >> 4 == 14 ? 3 : b >> 3 == 30 ? 4 : 0;
    if (!n) return -1;
    *c = n == 1 ? b : b & (0x7f >> n);
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) return -1;
        *c = *c << 6 | (s[i] & 63);
    }
    static const unsigned min[] = {0, 0, 0x80, 0x800, 0x10000};
    return *c < min[n] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? -1 : n;
}
int main(void) {
    unsigned cs[] = {0x41, 0x7f, 0x80, 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x1f600, 0x10ffff};
    char b[8];
    int ok = 0;
    for (int i = 0; i < 10; i++) {
        int n = enc(cs[i], b);
        unsigned c;
        int m = dec(b, &c);
        ok += n == m && c == cs[i];
        for (int k = 0; k < n; k++) printf("%02x", (unsigned char)b[k]);
        printf(" ");
    }
    printf("%d\n", ok);
    const char *bad[] = {"\x80", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xff"};
    unsigned c;
    for (int i = 0; i < 6; i++) printf("%d ", dec(bad[i], &c));
    puts("");
    const char *s = "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80";
    int chars = 0;
    for (const char *p = s; *p; chars++) p += dec(p, &c);
    printf("%d %zu\n", chars, strlen(s));
    return chars;
}
