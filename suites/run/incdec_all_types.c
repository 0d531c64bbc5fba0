// ++ and -- on every arithmetic type and on pointers.
#include <stdio.h>
#define TRY(T, F, init) do { T v = (init); T a = v++; T b = ++v; T c = v--; T d = --v; \
    printf(#T " " F " " F " " F " " F " " F "\n", a, b, c, d, v); } while (0)
int main(void) {
    TRY(char, "%d", 126); TRY(signed char, "%d", -128); TRY(unsigned char, "%d", 255);
    TRY(short, "%d", 32766);
    TRY(unsigned short, "%d", 65535);
    TRY(int, "%d", -1);
    TRY(unsigned, "%u", 4294967295u);
    TRY(long, "%ld", 4294967295L);
    TRY(unsigned long, "%lu", 18446744073709551615ul);
    TRY(long long, "%lld", -1LL);
    TRY(float, "%.2f", 1.5f); TRY(double, "%.3f", -0.125); TRY(long double, "%.2Lf", 2.5L);
    int a[6] = {10, 20, 30, 40, 50, 60}; int *p = a;
    int x = *p++, y = *++p, z = (*p)++, w = ++*p, v = *p--, u = *--p;
    printf("%d %d %d %d %d %d %ld\n", x, y, z, w, v, u, (long)(p - a));
    char *s = "hello"; while (*s++) ; printf("%c\n", s[-2]);
    short sh = 32767; sh++; printf("%d\n", sh);
    double d2[3] = {1, 2, 3};
    double *q = d2 + 3;
    double sum = 0;
    while (q-- != d2) { sum += *q; if (q == d2) break; }
    printf("%g\n", sum);
    return a[2];
}
