// floor, ceil, trunc, round, fmod, modf, frexp, ldexp, sqrt: exact results only. Needs -lm.
#include <stdio.h>
#include <math.h>
int main(void) {
    double xs[] = {0.0, 0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, -7.9, 1e15 + 0.5, 123456.0};
    for (int i = 0; i < 10; i++) printf("%g: %g %g %g %g %g\n", xs[i], floor(xs[i]), ceil(xs[i]), trunc(xs[i]), round(xs[i]), rint(xs[i]));
    printf("%g %g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(5, -3), remainder(7, 4));
    double ip, fp = modf(-3.75, &ip);
    printf("%g %g\n", ip, fp);
    int e;
    double m = frexp(48.0, &e);
    printf("%g %d %g\n", m, e, ldexp(0.75, 4));
    printf("%g %g %g %g\n", sqrt(16), sqrt(2.25), cbrt(27), hypot(3, 4));
    printf("%g %g %g %g\n", fabs(-2), fmax(1, 2), fmin(1, 2), fdim(5, 3));
    printf("%ld %ld %lld\n", lround(2.5), lrint(2.5), llround(-2.5));
    printf("%d %d %d %d\n", isnan(NAN) != 0, isinf(-INFINITY) != 0, signbit(-0.0) != 0, fpclassify(1.0) == FP_NORMAL);
    printf("%g %d %g\n", scalbn(1, 10), ilogb(1000), logb(0.125));
    printf("%.1f %.1f\n", floorf(2.7f), (double)ceill(2.1L));
    return (int)sqrt(1764);
}
