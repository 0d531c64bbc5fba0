// float to double and back, double to float rounding to nearest even, casts that force precision.
#include <stdio.h>
int main(void) {
    float a = 16777217.0;
    printf("%.1f\n", a);
    a = 16777219.0;
    printf("%.1f\n", a);
    double d = 0.1f;
    printf("%.10f\n", d);
    float f = 0.1;
    printf("%d %d\n", f == 0.1f, f == 0.1);
    printf("%d\n", (float)0.1 == 0.1f);
    float x = 1e10f;
    x = x + 1;
    printf("%.1f\n", x);
    double y = 1e10f;
    y = y + 1;
    printf("%.1f\n", y);
    float tiny = 1e-45f;
    printf("%d %g\n", tiny > 0, tiny / 2);
    printf("%g %g\n", (float)1e39, (double)(float)3.5e38);
    float s = 0;
    for (int i = 0; i < 16777218; i += 4194304) s += i;
    printf("%.1f\n", s);
    printf("%d %d\n", (int)(0.1 + 0.2 == 0.3), (int)(0.1f + 0.2f == 0.3f));
    int n = 1 << 24;
    printf("%d\n", (int)(float)(n + 1) - n);
    long big = (1L << 53) + 1;
    printf("%ld\n", (long)(double)big - big);
    return (int)(2.9f + 0.05f);
}
