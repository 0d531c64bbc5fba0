// Recursive and iterative wildcard matching agree.
#include <stdio.h>
static int rec(const char *p, const char *s) {
    if (!*p) return !*s;
    if (*p == '*') return rec(p + 1, s) || (*s && rec(p, s + 1));
    return *s && (*p == '?' || *p == *s) && rec(p + 1, s + 1);
}
static int iter(const char *p, const char *s) {
    const char *star = 0, *mark = 0;
    while (*s) {
        if (*p == '?' || *p == *s) { p++; s++; } else if (*p == '*') {
            star = p++;
            mark = s;
        } else if (star) { p = star + 1; s = ++mark; } else return 0;
    }
    while (*p == '*') p++;
    return !*p;
}
int main(void) {
    const char *ps[] = {"*", "a*", "*.c", "a?c", "a*b*c", "**x", "", "???"};
    const char *ss[] = {"", "a", "abc", "main.c", "axxbyyc", "x"};
    int bits = 0;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 6; j++) {
            int a = rec(ps[i], ss[j]), b = iter(ps[i], ss[j]);
            if (a != b) return 255;
            putchar('0' + a);
            bits += a;
        }
        putchar(' ');
    }
    printf("\n%d\n", bits); return bits;
}
