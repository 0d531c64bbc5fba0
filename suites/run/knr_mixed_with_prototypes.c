// Prototypes in scope convert arguments for old-style definitions; empty parameter lists accept any.
#include <stdio.h>
int scale(int, int); double mix(double, int); void swap(); int count(); static int total;
int main(void) {
    printf("%d\n", scale(3.9, 'A' - 60));
    printf("%g\n", mix(2, 3.7));
    int a = 1, b = 2;
    swap(&a, &b);
    printf("%d %d\n", a, b);
    printf("%d ", count(1));
    printf("%d ", count(2, 3));
    printf("%d\n", count());
    int (*f)() = scale;
    printf("%d\n", f(6, 7));
    return total;
}
int scale(x, k) int x, k; { return x * k; }
double mix(d, n) double d; int n; { return d * n; }
void swap(p, q) int *p, *q; { int t = *p; *p = *q; *q = t; }
int count() { return ++total; }
