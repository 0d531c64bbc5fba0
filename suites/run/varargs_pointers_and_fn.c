// Pointers, function pointers and arrays as variable arguments.
#include <stdio.h>
#include <stdarg.h>
static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static int pipe(int x, ...) {
    va_list ap;
    va_start(ap, x);
    int (*f)(int);
    while ((f = va_arg(ap, int (*)(int)))) x = f(x);
    va_end(ap);
    return x;
}
static void store(int n, ...) {
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) *va_arg(ap, int *) = i * 100;
    va_end(ap);
}
static int sum(const char *k, ...) {
    va_list ap;
    va_start(ap, k);
    int s = 0;
    for (; *k; k++) if (*k == 'a') {
        int *p = va_arg(ap, int *), n = va_arg(ap, int);
        while (n--) s += *p++;
    } else { char **q = va_arg(ap, char **); while (*q) s += (*q++)[0]; }
    va_end(ap);
    return s;
}
int main(void) {
    printf("%d\n", pipe(3, inc, dbl, dbl, inc, (int (*)(int))0));
    int a, b, c;
    store(3, &a, &b, &c);
    printf("%d %d %d\n", a, b, c);
    int v[] = {1, 2, 3};
    char *w[] = {"A", "B", 0};
    printf("%d\n", sum("aw", v, 3, w));
    printf("%d\n", sum("waa", w, v + 1, 2, v, 1));
    return pipe(5, dbl, dbl, (int (*)(int))0);
}
