// Wrappers over vsnprintf, and variable arguments after a struct parameter.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
struct log { char buf[128]; int n, drop; };
static void vlog(struct log *l, const char *f, va_list ap) {
    int k = vsnprintf(l->buf + l->n, sizeof l->buf - l->n, f, ap);
    if (k < 0 || l->n + k >= (int)sizeof l->buf) { l->buf[l->n] = 0; l->drop++; } else l->n += k;
}
static void lg(struct log *l, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    vlog(l, f, ap);
    va_end(ap);
}
struct cfg { int base; double scale; };
static double calc(struct cfg c, int n, ...) {
    va_list ap;
    double s = c.base;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s += c.scale * va_arg(ap, int);
    va_end(ap);
    return s;
}
static int maxof(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int m = va_arg(ap, int);
    while (--n) { int v = va_arg(ap, int); if (v > m) m = v; }
    va_end(ap);
    return m;
}
int main(void) {
    struct log l = {0};
    lg(&l, "%s=%d;", "a", 1);
    lg(&l, "%5.2f|%c|%ld;", 3.14159, 'x', 1L << 40);
    for (int i = 0; i < 12; i++) lg(&l, "item %02d, ", i);
    printf("%d %d\n%s\n", l.n, l.drop, l.buf);
    printf("%g\n", calc((struct cfg){10, 0.5}, 4, 1, 2, 3, 4));
    printf("%d %d\n", maxof(5, 3, 9, 2, 9, 1), maxof(1, -4));
    return l.drop;
}
