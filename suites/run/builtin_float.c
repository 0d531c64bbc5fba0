// Floating builtins that need no library.
#include <stdio.h>
int main(void) {
    printf("%g %g %g\n", __builtin_fabs(-2.5), __builtin_fabsf(-1.5f), (double)__builtin_fabsl(-3.0L));
    printf("%g %g\n", __builtin_inf(), -__builtin_huge_val());
    printf("%d %d\n", __builtin_isnan(__builtin_nan("")) != 0, __builtin_isnan(1.0) != 0);
    printf("%g %g\n", __builtin_copysign(3.0, -0.0), __builtin_copysignf(-2.0f, 1.0f));
    printf("%d %d %d\n", __builtin_isgreater(2.0, 1.0), __builtin_islessequal(2.0, 1.0), __builtin_isunordered(1.0, __builtin_nanf("")));
    printf("%d %d\n", __builtin_isinf_sign(-__builtin_inf()), __builtin_isnormal(1e-310) != 0);
    printf("%d\n", __builtin_fpclassify(0, 1, 2, 3, 4, 1.5) + 10 * __builtin_fpclassify(0, 1, 2, 3, 4, 0.0));
    double xs[] = {1e-320, 1e300, -0.0, 5};
    int n = 0;
    for (int i = 0; i < 4; i++) n = n * 5 + __builtin_fpclassify(0, 1, 2, 3, 4, xs[i]);
    printf("%d\n", n);
    _Complex double z = 1.0 + 2.0i;
    z = z * z;
    printf("%g %g\n", __real__ z, __imag__ z);
    __real__ z = 7;
    printf("%g\n", __builtin_creal(~z) + __builtin_cimag(~z));
    return n % 100;
}
