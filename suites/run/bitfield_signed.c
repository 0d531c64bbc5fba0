// Signed bit-fields extend their sign when read.
#include <stdio.h>
struct s { int a : 3; signed b : 5; int c : 1; long d : 40; };
int main(void) {
    struct s x = {3, 15, -1, 1L << 38};
    printf("%d %d %d %ld %zu\n", x.a, x.b, x.c, (long)x.d, sizeof x);
    x.a = 4; x.b = 16; x.c = 1; x.d = -1;
    printf("%d %d %d %ld\n", x.a, x.b, x.c, (long)x.d);
    for (int i = -10; i <= 10; i++) { x.a = i; printf("%d ", x.a); }
    puts("");
    for (int i = 0; i < 40; i += 3) { x.b = i; printf("%d ", x.b); }
    puts("");
    x.a = -4; int neg = -x.a, half = x.a / 2, sh = x.a >> 1;
    printf("%d %d %d\n", neg, half, sh);
    x.d = 0x7fffffffffL; x.d++; printf("%ld\n", (long)x.d);
    printf("%d %d\n", x.a < 0, x.a == -4);
    return x.c == -1;
}
