// _Complex arithmetic of float and double.
#include <stdio.h>
static _Complex double cmul(_Complex double a, _Complex double b) { return a * b; }
static double n2(_Complex double z) {
    return __real__ z * __real__ z + __imag__ z * __imag__ z;
}
struct c { _Complex float f; _Complex double d; };
int main(void) {
    _Complex double a = 3 + 4i, b = 1 - 2i, c;
    c = a + b;
    printf("%g %g\n", __real__ c, __imag__ c);
    c = a - b;
    printf("%g %g\n", __real__ c, __imag__ c);
    c = cmul(a, b);
    printf("%g %g\n", __real__ c, __imag__ c);
    c = a / b;
    printf("%g %g\n", __real__ c, __imag__ c);
    c = -a;
    printf("%g %g\n", __real__ c, __imag__ c);
    c = ~a;
    printf("%g %g\n", __real__ c, __imag__ c);
    printf("%d %d %d\n", a == b, a != b, a == 3 + 4i);
    c = 5;
    printf("%g %g\n", __real__ c, __imag__ c);
    c *= 2i;
    printf("%g %g\n", __real__ c, __imag__ c);
    double r = a;
    printf("%g\n", r);
    struct c s = {1 + 1i, 2 + 2i};
    s.f *= s.f;
    printf("%g %g %zu\n", __real__ s.f, __imag__ s.f, sizeof s);
    int it = 0;
    _Complex double z = 0;
    while (n2(z) < 4 && it < 100) { z = z * z + (0.3 + 0.5i); it++; }
    printf("%d\n", it);
    if (a) puts("true");
    if (!(0 + 0i)) puts("false");
    return it;
}
