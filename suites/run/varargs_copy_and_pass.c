// va_copy, and va_list handed to another function and to vprintf.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
static int total(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
static int twice(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int x = total(n, a), y = 0;
    for (int i = 0; i < n; i++) y = y * 10 + va_arg(b, int);
    va_end(b);
    va_end(a);
    return x * 10000 + y;
}
static char *fmt(char *buf, size_t n, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    int k = vsnprintf(buf, n, f, ap);
    va_end(ap);
    printf("(%d) ", k);
    return buf;
}
static void logf2(const char *f, ...) {
    va_list ap, ap2;
    va_start(ap, f);
    va_copy(ap2, ap);
    vprintf(f, ap);
    vprintf(f, ap2);
    va_end(ap2);
    va_end(ap);
}
static void step(va_list *ap) { printf("%d ", va_arg(*ap, int)); }
static void bypointer(int n, ...) {
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) step(&ap);
    printf("%s\n", va_arg(ap, char *));
    va_end(ap);
}
static int second(int a, ...) {
    va_list ap;
    va_start(ap, a);
    (void)va_arg(ap, int);
    int r = va_arg(ap, int);
    va_end(ap);
    va_start(ap, a);
    r = r * 100 + va_arg(ap, int);
    va_end(ap);
    return r;
}
int main(void) {
    char b[16];
    printf("%d\n", twice(4, 1, 2, 3, 4));
    puts(fmt(b, sizeof b, "%d-%s", 42, "hi"));
    puts(fmt(b, sizeof b, "%s", "longer than sixteen characters"));
    logf2("<%d %c %.2f>\n", 7, 'q', 2.5); bypointer(8, 1, 2, 3, 4, 5, 6, 7, 8, "end");
    return second(0, 3, 1);
}
