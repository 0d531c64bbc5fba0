// Recursive descent with precedence, unary minus, power and errors.
#include <stdio.h>
#include <ctype.h>
static const char *p; static int err; static long expr(void); static void ws(void) { while (*p == ' ') p++; }
static long prim(void) {
    ws();
    if (*p == '(') {
        p++;
        long v = expr();
        ws();
        if (*p == ')') p++;
        else err = 1;
        return v;
    }
    if (*p == '-') { p++; return -prim(); }
    if (!isdigit((unsigned char)*p)) { err = 2; return 0; }
    long v = 0;
    while (isdigit((unsigned char)*p)) v = v * 10 + (*p++ - '0');
    return v;
}
static long power(void) {
    long b = prim();
    ws();
    if (*p == '^') {
        p++;
        long e = power(), r = 1;
        while (e-- > 0) r *= b;
        return r;
    }
    return b;
}
static long term(void) {
    long v = power();
    for (;;) {
        ws();
        if (*p == '*') { p++; v *= power(); } else if (*p == '/' || *p == '%') {
            char o = *p++;
            long d = power();
            if (!d) { err = 3; return 0; }
            v = o == '/' ? v / d : v % d;
        } else return v;
    }
}
static long expr(void) {
    long v = term();
    for (;;) {
        ws();
        if (*p == '+') { p++; v += term(); } else if (*p == '-') { p++; v -= term(); } else return v;
    }
}
static long eval(const char *s) {
    p = s;
    err = 0;
    long v = expr();
    ws();
    if (!err && *p) err = 4;
    printf("%s => ", s);
    if (err) printf("error %d\n", err);
    else printf("%ld\n", v);
    return err ? -err : v;
}
int main(void) {
    long s = 0;
    const char *ts[] = {"1+2*3", "(1+2)*3", "2^3^2", "-4 - -6", "100/7%5", "1/0", "(1+2", "2 3", "*", "((((7))))", "-(2+3)*2^4", "10 - 3 - 2"};
    for (unsigned i = 0; i < sizeof ts / sizeof *ts; i++) s += eval(ts[i]);
    printf("%ld\n", s);
    return s & 0x7f;
}
