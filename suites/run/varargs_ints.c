// Variable arguments of integer types, by count and by sentinel.
#include <stdio.h>
#include <stdarg.h>
static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s += va_arg(ap, int);
    va_end(ap);
    return s;
}
static long lsum(int first, ...) {
    va_list ap;
    long s = first;
    va_start(ap, first);
    long v;
    while ((v = va_arg(ap, long)) != -1) s += v;
    va_end(ap);
    return s;
}
static unsigned long long mixed(const char *f, ...) {
    va_list ap; va_start(ap, f); unsigned long long h = 0;
    for (; *f; f++) switch (*f) {
        case 'c': h = h * 31 + (char)va_arg(ap, int);
        break;
        case 'i': h = h * 31 + va_arg(ap, int);
        break;
        case 'u': h = h * 31 + va_arg(ap, unsigned);
        break;
        case 'l': h = h * 31 + va_arg(ap, long);
        break;
        case 'q': h = h * 31 + va_arg(ap, unsigned long long);
        break;
        case 's': {
            const char *s = va_arg(ap, const char *);
            while (*s) h = h * 31 + *s++;
            break;
        }
    }
    va_end(ap); return h;
}
int main(void) {
    printf("%d %d\n", sum(0), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    char c = -3; short s = 1000; _Bool b = 1; printf("%d\n", sum(3, c, s, b));
    printf("%ld\n", lsum(1, 2L, 1L << 40, -1L));
    printf("%llu\n", mixed("ciulqscciilq", 'x', -5, 4000000000u, -6L, 1ull << 63, "string", 'a', 'b', 1, 2, 3L, 4ull));
    return sum(2, 40, 2);
}
