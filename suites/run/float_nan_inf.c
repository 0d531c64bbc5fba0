// NaN compares unequal to everything; infinities order as expected.
#include <stdio.h>
int main(void) {
    volatile double zero = 0.0;
    double inf = 1e300 * 1e300, ninf = -inf, nan = __builtin_nan("");
    printf("%d %d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, nan <= nan, !(nan >= 0));
    printf("%d %d %d\n", inf > 1e308, ninf < -1e308, inf == inf);
    printf("%g %g %g\n", inf, ninf, inf + 1);
    double m = inf - inf; printf("%d\n", m != m);
    printf("%d %d %d\n", __builtin_isnan(nan), __builtin_isinf(inf) != 0, __builtin_isfinite(1.0) != 0);
    printf("%d %d\n", __builtin_signbit(-0.0) != 0, __builtin_signbit(0.0) != 0);
    printf("%g %g\n", 1 / inf, __builtin_fabs(-3.5));
    printf("%d %d %d\n", !nan, !inf, !zero);
    if (nan) puts("nan is true"); else puts("nan is false");
    printf("%d %d\n", nan ? 1 : 0, nan && inf);
    printf("%d\n", __builtin_isunordered(nan, 1.0) + 2 * __builtin_isless(1.0, 2.0) + 4 * __builtin_isgreater(nan, 1.0));
    float fi = inf; printf("%f %d\n", fi, fi == inf);
    return __builtin_isnan(m) ? 4 : 0;
}
