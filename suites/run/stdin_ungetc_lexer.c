// A character-level reader with one character of pushback.
#include <stdio.h>
#include <ctype.h>
static int peek(void) {
    int c = getchar();
    ungetc(c, stdin);
    return c;
}
static void skip(void) { while (isspace(peek())) getchar(); }
static int sexp(int depth) {
    skip();
    int c = getchar();
    if (c == EOF) return 0;
    if (c == '(') {
        int n = 0;
        printf("%*s(\n", depth * 2, "");
        for (;;) {
            skip();
            c = peek();
            if (c == ')') { getchar(); break; }
            if (c == EOF) { puts("eof in list"); return n; }
            n += sexp(depth + 1);
        }
        printf("%*s) %d\n", depth * 2, "", n);
        return n;
    }
    char b[16];
    int k = 0;
    b[k++] = c;
    while ((c = getchar()) != EOF && !isspace(c) && c != '(' && c != ')') if (k < 15) b[k++] = c;
    if (c != EOF) ungetc(c, stdin);
    b[k] = 0;
    printf("%*s%s\n", depth * 2, "", b);
    return 1;
}
int main(void) {
    int total = 0;
    for (;;) {
        skip();
        if (peek() == EOF) break;
        total += sexp(0);
    }
    printf("%d\n", total);
    return total;
}
