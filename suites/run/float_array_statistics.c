// Mean, variance, minimum and maximum over float and double arrays in structs.
#include <stdio.h>
struct stats { double mean, var; float min, max; unsigned n; };
static struct stats st(const float *a, unsigned n) {
    struct stats s = {.min = a[0], .max = a[0], .n = n};
    for (unsigned i = 0; i < n; i++) {
        s.mean += a[i];
        if (a[i] < s.min) s.min = a[i];
        if (a[i] > s.max) s.max = a[i];
    }
    s.mean /= n;
    for (unsigned i = 0; i < n; i++) { double d = a[i] - s.mean; s.var += d * d; }
    s.var /= n;
    return s;
}
int main(void) {
    float a[16];
    for (int i = 0; i < 16; i++) a[i] = (i * 7 % 16) * 0.25f - 1;
    struct stats s = st(a, 16);
    printf("%.4f %.4f %.2f %.2f %u\n", s.mean, s.var, s.min, s.max, s.n);
    int hist[4] = {0};
    for (int i = 0; i < 16; i++) hist[(int)((a[i] - s.min) / (s.max - s.min + 0.01f) * 4)]++;
    for (int i = 0; i < 4; i++) printf("%d ", hist[i]);
    puts("");
    double p[3] = {1, -3, 2}, x = 0;
    for (int k = 0; k < 5; k++, x += 0.5) {
        double v = 0;
        for (int i = 0; i < 3; i++) v = v * x + p[i];
        printf("%g ", v);
    }
    puts("");
    return s.n;
}
