// A small backtracking matcher: literals, dot, star, plus, question, anchors, classes.
#include <stdio.h>
static int here(const char *re, const char *t);
static const char *after(const char *re) {
    if (*re == '[') {
        re++;
        if (*re == '^') re++;
        while (*re != ']') re++;
    } else if (*re == '\\') re++;
    return re + 1;
}
static int one(const char *re, char c) {
    if (!c) return 0;
    if (*re == '.') return 1;
    if (*re == '\\') return re[1] == 'd' ? c >= '0' && c <= '9' : re[1] == c;
    if (*re == '[') {
        int neg = re[1] == '^', hit = 0;
        for (re += 1 + neg; *re != ']'; re++) if (re[1] == '-' && re[2] != ']') {
            hit |= c >= *re && c <= re[2];
            re += 2;
        } else hit |= *re == c;
        return hit != neg;
    }
    return *re == c;
}
static int rep(const char *re, const char *rest, const char *t, int min, int max) {
    int n = 0;
    while (n < max && one(re, t[n])) n++;
    for (; n >= min; n--) if (here(rest, t + n)) return 1;
    return 0;
}
static int here(const char *re, const char *t) {
    if (!*re) return 1;
    if (*re == '$' && !re[1]) return !*t;
    const char *q = after(re);
    switch (*q) {
        case '*': return rep(re, q + 1, t, 0, 1000);
        case '+': return rep(re, q + 1, t, 1, 1000);
        case '?': return rep(re, q + 1, t, 0, 1);
    }
    return one(re, *t) && here(q, t + 1);
}
static int match(const char *re, const char *t) {
    if (*re == '^') return here(re + 1, t);
    do if (here(re, t)) return 1;
    while (*t++);
    return 0;
}
int main(void) {
    static const struct { const char *re, *t; } ts[] = {{"abc", "xxabcxx"}, {"^abc", "xabc"}, {"a.c$", "abc"}, {"ab*c", "ac"}, {"ab+c", "ac"}, {"colou?r", "color"}, {"^[a-z_]+\\d*$", "name_42"}, {"^[^0-9]+$", "no digits"}, {"^[^0-9]+$", "1 digit"}, {"x*", ""}, {"\\.c$", "main.c"}, {"^a*a*a*b$", "aaaaaaaaab"}, {"[abc]", "zzz"}};
    int m = 0;
    for (unsigned i = 0; i < sizeof ts / sizeof *ts; i++) {
        int r = match(ts[i].re, ts[i].t);
        printf("%s ~ %s: %d\n", ts[i].t, ts[i].re, r);
        m = m * 2 + r;
    }
    return m & 0x7f;
}
