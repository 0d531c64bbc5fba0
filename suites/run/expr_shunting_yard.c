// Operator-precedence parsing to reverse Polish and a stack machine.
#include <stdio.h>
#include <ctype.h>
#include <string.h>
static int prec(char c) {
    switch (c) {
        case '+': case '-': return 1;
        case '*': case '/': return 2;
        case '^': return 3;
    }
    return 0;
}
static void rpn(const char *s, char *out) {
    char st[32];
    int n = 0;
    for (; *s; s++) {
        if (isalnum((unsigned char)*s)) *out++ = *s;
        else if (*s == '(') st[n++] = '(';
        else if (*s == ')') { while (n && st[n - 1] != '(') *out++ = st[--n]; n--; } else if (prec(*s)) { while (n && (prec(st[n - 1]) > prec(*s) || (prec(st[n - 1]) == prec(*s) && *s != '^'))) *out++ = st[--n]; st[n++] = *s; }
    }
    while (n) *out++ = st[--n];
    *out = 0;
}
static int run(const char *r, const int *vars) {
    int st[32], n = 0;
    for (; *r; r++) if (isdigit((unsigned char)*r)) st[n++] = *r - '0';
    else if (isalpha((unsigned char)*r)) st[n++] = vars[*r - 'a'];
    else {
        int b = st[--n], a = st[--n], v = 1;
        switch (*r) {
            case '+': v = a + b;
            break;
            case '-': v = a - b;
            break;
            case '*': v = a * b;
            break;
            case '/': v = b ? a / b : 0;
            break;
            case '^': while (b-- > 0) v *= a;
        }
        st[n++] = v;
    }
    return st[0];
}
int main(void) {
    int vars[26] = {['a' - 'a'] = 5, ['x' - 'a'] = 10, ['z' - 'a'] = -3};
    const char *es[] = {"1+2*3", "(1+2)*3", "a*x+z", "2^3^2", "9-4-3", "8/2/2", "(a+x)*(a-x)/z"};
    char out[64];
    int s = 0;
    for (unsigned i = 0; i < 7; i++) {
        rpn(es[i], out);
        int v = run(out, vars);
        printf("%s -> %s = %d\n", es[i], out, v);
        s += v;
    }
    return s & 0x7f;
}
