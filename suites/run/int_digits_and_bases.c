// Digit sums, palindromes, base conversion, Roman numerals.
#include <stdio.h>
#include <string.h>
static char *base(unsigned v, int b, char *o) {
    char t[40];
    int n = 0;
    do t[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[v % b];
    while (v /= b);
    for (int i = 0; i < n; i++) o[i] = t[n - 1 - i];
    o[n] = 0;
    return o;
}
static unsigned parse(const char *s, int b) {
    unsigned v = 0;
    for (; *s; s++) v = v * b + (*s <= '9' ? *s - '0' : *s - 'a' + 10);
    return v;
}
static void roman(int n, char *o) {
    static const int v[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    static const char *const r[] = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
    *o = 0;
    for (int i = 0; i < 13; i++) while (n >= v[i]) { strcat(o, r[i]); n -= v[i]; }
}
static unsigned rev(unsigned n) {
    unsigned r = 0;
    for (; n; n /= 10) r = r * 10 + n % 10;
    return r;
}
static int dsum(unsigned n) { return n ? n % 10 + dsum(n / 10) : 0; }
int main(void) {
    char b[64];
    for (int k = 2; k <= 36; k += 7) {
        base(123456789, k, b);
        printf("%d %s %u\n", k, b, parse(b, k));
    }
    int ys[] = {4, 9, 1994, 2024, 3999};
    for (int i = 0; i < 5; i++) { roman(ys[i], b); printf("%s ", b); }
    puts("");
    int pal = 0;
    for (unsigned n = 0; n < 2000; n++) pal += rev(n) == n;
    printf("%d %d\n", pal, dsum(987654321));
    int perfect = 0;
    for (int n = 2; n < 1000; n++) {
        int s = 1;
        for (int d = 2; d * d <= n; d++) if (n % d == 0) s += d + (d * d != n ? n / d : 0);
        if (s == n) { printf("%d ", n); perfect++; }
    }
    puts("");
    return pal & 0x7f;
}
