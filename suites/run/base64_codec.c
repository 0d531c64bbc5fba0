// Base64 encoding and decoding of all short lengths.
#include <stdio.h>
#include <string.h>
static const char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void enc(const unsigned char *s, int n, char *o) {
    for (; n > 0; n -= 3, s += 3) {
        unsigned v = s[0] << 16 | (n > 1 ? s[1] << 8 : 0) | (n > 2 ? s[2] : 0);
        *o++ = abc[v >> 18];
        *o++ = abc[v >> 12 & 63];
        *o++ = n > 1 ? abc[v >> 6 & 63] : '=';
        *o++ = n > 2 ? abc[v & 63] : '=';
    }
    *o = 0;
}
static int dec(const char *s, unsigned char *o) {
    unsigned char *b = o;
    unsigned v = 0;
    int k = 0;
    for (; *s && *s != '='; s++) {
        v = v << 6 | (unsigned)(strchr(abc, *s) - abc);
        if (++k == 4) {
            *o++ = v >> 16;
            *o++ = v >> 8;
            *o++ = v;
            k = 0;
            v = 0;
        }
    }
    if (k == 2) *o++ = v >> 4;
    if (k == 3) { *o++ = v >> 10; *o++ = v >> 2; }
    return o - b;
}
int main(void) {
    const char *ts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"}; char o[64]; unsigned char b[64];
    for (int i = 0; i < 7; i++) {
        enc((const unsigned char *)ts[i], i, o);
        int n = dec(o, b);
        b[n] = 0;
        printf("%s %s %s\n", ts[i], o, b);
        if (n != i) return 1;
    }
    unsigned char all[48];
    for (int i = 0; i < 48; i++) all[i] = i * 37 + 11;
    char big[80];
    enc(all, 47, big);
    puts(big);
    int n = dec(big, b);
    printf("%d %d\n", n, memcmp(b, all, 47));
    return n;
}
