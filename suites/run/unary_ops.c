// Unary plus, minus, not, complement, sizeof, address and indirection.
#include <stdio.h>
int main(void) {
    int x = 5; unsigned u = 5; short s = -32768; unsigned char c = 1;
    printf("%d %d %d %d\n", +x, -x, ~x, !x);
    printf("%u %u %d\n", -u, ~u, !u);
    printf("%d %d %d\n", -s, ~c, -c);
    printf("%d %d %d\n", - -x, -~x, ~-x);
    printf("%d %d\n", !!x, !-x);
    int *p = &x, **pp = &p;
    printf("%d %d %d\n", *&x, **pp, *&*&x);
    **pp = 9; printf("%d\n", x);
    int a[3] = {1, 2, 3}; int (*pa)[3] = &a;
    printf("%d %d %d %zu %zu\n", *a, *(a + 1), (*pa)[2], sizeof *pa, sizeof *a);
    int y = 1; printf("%zu %d\n", sizeof(y++), y);
    printf("%zu %zu\n", sizeof x + 1, sizeof(x) + 1);
    double d = -0.0; printf("%g %g %d\n", d, -d, !d);
    printf("%d\n", -x * -x + - -x - +x);
    return -(-42);
}
