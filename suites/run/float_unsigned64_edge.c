// 64-bit unsigned to and from double around 2^63.
#include <stdio.h>
int main(void) {
    unsigned long xs[] = {0, 1, 1ul << 52, (1ul << 53) + 1, (1ul << 63) - 1, 1ul << 63, (1ul << 63) + 1025, -1ul};
    for (int i = 0; i < 8; i++) {
        double d = xs[i]; float f = xs[i];
        printf("%lu %.0f %.0f", xs[i], d, f);
        if (d < 18446744073709551616.0) printf(" %lu", (unsigned long)d);
        puts("");
    }
    double ds[] = {0.5, 4294967296.0, 9223372036854774784.0, 9223372036854775808.0, 18446744073709549568.0};
    unsigned long h = 0;
    for (int i = 0; i < 5; i++) { unsigned long u = ds[i]; h = h * 31 + u; printf("%lu\n", u); }
    printf("%lu\n", h);
    return h % 50;
}
