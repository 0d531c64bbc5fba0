// A recursive JSON reader that computes sums, depth and errors without building a tree.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
static const char *p;
static double sum;
static int strs, maxd;
static void ws(void) { while (isspace((unsigned char)*p)) p++; }
static int value(int d);
static int string(void) {
    if (*p++ != '"') return 0;
    while (*p != '"') {
        if (!*p) return 0;
        if (*p == '\\') { p++; if (!*p) return 0; }
        p++;
    }
    p++;
    strs++;
    return 1;
}
static int group(int d, char end, int keys) {
    p++;
    ws();
    if (*p == end) { p++; return 1; }
    for (;;) {
        if (keys) {
            ws();
            if (!string()) return 0;
            ws();
            if (*p++ != ':') return 0;
        }
        if (!value(d + 1)) return 0;
        ws();
        if (*p == ',') { p++; continue; }
        return *p++ == end;
    }
}
static int value(int d) {
    if (d > maxd) maxd = d;
    if (d > 20) return 0;
    ws();
    switch (*p) {
        case '{': return group(d, '}', 1);
        case '[': return group(d, ']', 0);
        case '"': return string();
        case 't': return !strncmp(p, "true", 4) ? p += 4, 1 : 0;
        case 'f': return !strncmp(p, "false", 5) ? p += 5, 1 : 0;
        case 'n': return !strncmp(p, "null", 4) ? p += 4, 1 : 0;
        default: {
            char *e;
            double v = strtod(p, &e);
            if (e == p) return 0;
            sum += v;
            p = e;
            return 1;
        }
    }
}
static int parse(const char *s) {
    p = s;
    sum = strs = maxd = 0;
    int ok = value(1);
    ws();
    ok = ok && !*p;
    printf("%s sum %g strings %d depth %d\n", ok ? "ok " : "bad", sum, strs, maxd);
    return ok;
}
int main(void) {
    const char *ts[] = {"[1, 2.5, -3e1]", "{\"a\": [true, false, null], \"b\\\"\": {\"c\": 7}}", "", "[", "[1,]", "{\"a\" 1}", "[[[[[[1]]]]]]", "\"x\" y", "{}", "[nul]", " [ ] ", "\"open"};
    int good = 0;
    for (unsigned i = 0; i < sizeof ts / sizeof *ts; i++) good += parse(ts[i]); return good;
}
