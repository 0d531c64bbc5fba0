// Conversions between floating and integer types, all widths.
#include <stdio.h>
int main(void) {
    double xs[] = {0.0, 0.9, -0.9, 1.5, -1.5, 127.9, 255.99, -100.7};
    for (int i = 0; i < 8; i++)
        printf("%d %d %ld %lld\n", (int)xs[i], (short)xs[i], (long)xs[i], (long long)xs[i]);
    printf("%u %lu %d\n", (unsigned)4294967295.5, (unsigned long)1.8e19, (unsigned char)255.9);
    printf("%u %u\n", (unsigned)-0.5, (unsigned)3e9f);
    long big = 9007199254740993L; printf("%.1f %.1f\n", (double)big, (float)16777217);
    unsigned long ub = 18446744073709551615ul;
    printf("%.1f %.1f %.1f\n", (double)ub, (float)ub, (double)(ub >> 1));
    unsigned u = 4000000000u; printf("%.1f %.1f\n", (double)u, (float)u);
    signed char c = -5; printf("%.2f %.2f\n", (double)c, (float)(unsigned char)c);
    float f = 1.99f; int n = f; char ch = 65.7; printf("%d %c\n", n, ch);
    _Bool b = 0.0001; printf("%d\n", b);
    double d = 1; d += (unsigned char)300 / 8; printf("%g %g\n", d, 300 / 8 / 2.0);
    unsigned long r = 9223372036854775808.0; printf("%lu\n", r);
    printf("%.1f\n", (double)(unsigned __int128)ub * 2);
    printf("%ld\n", (long)(float)123456789);
    return (int)3.99;
}
