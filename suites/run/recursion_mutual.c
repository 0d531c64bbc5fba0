// Mutually recursive functions, through prototypes and pointers.
#include <stdio.h>
static int even(unsigned);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }
static int male(int);
static int female(int n) { return n ? n - male(female(n - 1)) : 1; }
static int male(int n) { return n ? n - female(male(n - 1)) : 0; }
static const char *src;
static int expr(void);
static int atom(void) {
    if (*src == '(') {
        src++;
        int v = expr();
        src++;
        return v;
    }
    return *src++ - '0';
}
static int term(void) {
    int v = atom();
    while (*src == '*') { src++; v *= atom(); }
    return v;
}
static int expr(void) {
    int v = term();
    while (*src == '+') { src++; v += term(); }
    return v;
}
typedef struct st { struct st (*f)(int *); } st;
static st sa(int *);
static st sb(int *n) {
    printf("b%d ", *n);
    return (st){--*n > 0 ? sa : 0};
}
static st sa(int *n) {
    printf("a%d ", *n);
    return (st){--*n > 0 ? sb : 0};
}
int main(void) {
    printf("%d %d %d %d\n", even(10), odd(10), even(7), odd(301));
    for (int i = 0; i < 12; i++) printf("%d/%d ", female(i), male(i)); puts("");
    src = "(1+2)*3+4*(5+6)*2"; int v = expr(); printf("%d\n", v);
    int n = 5; st s = {sa}; while (s.f) s = s.f(&n); puts("");
    return v;
}
