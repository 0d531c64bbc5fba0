// A narrow unsigned bit-field promotes to int, a full-width one stays unsigned.
#include <stdio.h>
struct s { unsigned a : 31; unsigned b : 32; unsigned c : 4; unsigned long d : 48; _Bool e : 1; };
int main(void) {
    struct s x = {1, 1, 1, 1, 1};
    printf("%d %d %d\n", x.a - 2 < 0, x.b - 2 < 0, x.c - 2 < 0);
    printf("%d %d\n", -x.c < 0, ~x.c < 0);
    printf("%d\n", x.e - 2);
    x.c = 15; printf("%d %d\n", x.c << 4, (x.c << 27) > 0);
    x.d = 0xffffffffffffUL; unsigned long y = x.d; y++; printf("%lx\n", y);
    x.d++; printf("%lx\n", (unsigned long)x.d);
    x.c = 9; printf("%d %d\n", x.c > -1, x.c * -1);
    double q = x.c / 2.0; printf("%g\n", q);
    x.a = -1; printf("%u\n", x.a);
    x.b = -1; printf("%u\n", x.b);
    return x.c;
}
