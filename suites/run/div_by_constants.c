// Division by constants, which compilers strength-reduce, against division by variables.
#include <stdio.h>
#define TRY(k) do { volatile int v = k; for (int i = 0; i < n; i++) { \
    if (xs[i] / (k) != xs[i] / v || xs[i] % (k) != xs[i] % v) return 1; \
    h = h * 33 + (unsigned)(xs[i] / (k)) + (unsigned)(xs[i] % (k)); } } while (0)
int main(void) {
    int xs[] = {0, 1, -1, 5, -5, 99, -99, 1000003, -1000003, 2147483647, -2147483647 - 1};
    int n = sizeof xs / sizeof *xs;
    unsigned h = 0;
    TRY(1);
    TRY(2);
    TRY(3);
    TRY(7);
    TRY(10);
    TRY(16);
    TRY(100);
    TRY(-2);
    TRY(-3);
    TRY(-8);
    TRY(1000);
    TRY(2147483647);
    printf("%u\n", h);
    unsigned long us[] = {0, 1, 9, 10, 11, 18446744073709551615ul};
    unsigned long g = 0;
    for (int i = 0; i < 6; i++) g = g * 31 + us[i] / 10 + us[i] % 7 + us[i] / 1000000007ul;
    printf("%lu\n", g);
    for (int i = -5; i <= 5; i++) printf("%d:%d:%d ", i / 2, i % 2, i >> 1);
    puts("");
    return 0;
}
