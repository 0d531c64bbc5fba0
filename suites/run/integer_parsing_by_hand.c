// Hand-written signed parsing with overflow detection at the limits of int.
#include <stdio.h>
#include <limits.h>
static int parse(const char *s, int *out) {
    int neg = 0, v = 0;
    if (*s == '-' || *s == '+') neg = *s++ == '-';
    if (!*s) return 1;
    for (; *s; s++) {
        if (*s < '0' || *s > '9') return 2;
        int d = *s - '0';
        if (v < (INT_MIN + d) / 10) return 3;
        v = v * 10 - d;
    }
    if (!neg) { if (v == INT_MIN) return 3; v = -v; }
    *out = v;
    return 0;
}
static char *fmt(int v, char *end) {
    *end = 0;
    int neg = v < 0;
    do {
        int d = v % 10;
        *--end = '0' + (d < 0 ? -d : d);
        v /= 10;
    } while (v);
    if (neg) *--end = '-';
    return end;
}
int main(void) {
    const char *ts[] = {"0", "-0", "2147483647", "2147483648", "-2147483648", "-2147483649", "99999999999", "12a", "", "-", "+77"};
    char b[16];
    int ok = 0;
    for (unsigned i = 0; i < sizeof ts / sizeof *ts; i++) {
        int v = 0, r = parse(ts[i], &v);
        printf("[%s] %d %d %s\n", ts[i], r, v, fmt(v, b + 15));
        ok += !r;
    }
    return ok;
}
