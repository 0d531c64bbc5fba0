// A line-oriented reverse Polish calculator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static double st[32];
static int n;
static int err;
static void push(double v) { if (n < 32) st[n++] = v; else err = 1; }
static double pop(void) {
    if (n) return st[--n];
    err = 1;
    return 0;
}
int main(void) {
    char line[128];
    int ln = 0, errs = 0;
    while (fgets(line, sizeof line, stdin)) {
        ln++;
        n = err = 0;
        for (char *t = strtok(line, " \t\n"); t; t = strtok(NULL, " \t\n")) {
            char *e;
            double v = strtod(t, &e);
            if (e != t && !*e) push(v);
            else if (strlen(t) == 1 && strchr("+-*/", *t)) {
                double b = pop(), a = pop();
                push(*t == '+' ? a + b : *t == '-' ? a - b : *t == '*' ? a * b : b != 0 ? a / b : (err = 1, 0));
            } else if (!strcmp(t, "dup")) {
                double v = pop();
                push(v);
                push(v);
            } else if (!strcmp(t, "swap")) {
                double b = pop(), a = pop();
                push(b);
                push(a);
            } else err = 1;
        }
        if (err || n != 1) { printf("%d: error (%d left)\n", ln, n); errs++; } else printf("%d: %.6g\n", ln, st[0]);
    }
    return errs;
}
