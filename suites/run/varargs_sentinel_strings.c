// NULL-terminated lists of strings; a small printf.
#include <stdio.h>
#include <stdarg.h>
#include <string.h>
#include <stdlib.h>
static char *join(const char *sep, ...) {
    va_list ap;
    size_t n = 1;
    va_start(ap, sep);
    for (const char *s; (s = va_arg(ap, const char *));) n += strlen(s) + strlen(sep);
    va_end(ap);
    char *r = malloc(n);
    *r = 0;
    va_start(ap, sep);
    int first = 1;
    for (const char *s; (s = va_arg(ap, const char *)); first = 0) {
        if (!first) strcat(r, sep);
        strcat(r, s);
    }
    va_end(ap);
    return r;
}
static int mini(const char *f, ...) {
    va_list ap; va_start(ap, f); int n = 0;
    for (; *f; f++) { if (*f != '%') { putchar(*f); n++; continue; }
        switch (*++f) {
            case 'd': {
                int v = va_arg(ap, int);
                char t[12];
                int k = 0;
                unsigned u = v < 0 ? -(unsigned)v : v;
                do t[k++] = '0' + u % 10;
                while (u /= 10);
                if (v < 0) t[k++] = '-';
                n += k;
                while (k) putchar(t[--k]);
                break;
            }
            case 's': { const char *s = va_arg(ap, const char *); while (*s) putchar(*s++), n++; break; } case 'c': putchar(va_arg(ap, int)); n++; break; case '%': putchar('%'); n++; break; } }
    va_end(ap); return n;
}
int main(void) {
    char *a = join(", ", "one", "two", "three", (char *)0), *b = join("-", (char *)0), *c = join("", "x", "y", (char *)0);
    printf("[%s] [%s] [%s]\n", a, b, c); free(a); free(b); free(c);
    int n = mini("%d %s %c %% %d\n", -2147483647 - 1, "str", 'z', 0);
    return n;
}
