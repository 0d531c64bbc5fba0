// Default promotions of every small type through an ellipsis.
#include <stdio.h>
#include <stdarg.h>
struct bf { unsigned a : 3; int b : 4; };
enum e { X = -2 };
static void take(const char *k, ...) {
    va_list ap;
    va_start(ap, k);
    for (; *k; k++) {
        if (*k == 'i') printf("%d ", va_arg(ap, int));
        else if (*k == 'd') printf("%g ", va_arg(ap, double));
        else if (*k == 'u') printf("%u ", va_arg(ap, unsigned));
        else if (*k == 'l') printf("%ld ", va_arg(ap, long));
    }
    puts("");
    va_end(ap);
}
int main(void) {
    char c = -5;
    unsigned char uc = 250;
    short s = -300;
    unsigned short us = 65000;
    _Bool b = 7;
    float f = 1.25f;
    struct bf bf = {5, -3};
    enum e e = X;
    long l = -1;
    unsigned u = 4000000000u;
    take("iiiiidii", c, uc, s, us, b, f, bf.a, bf.b);
    take("iul", e, u, l);
    take("idididid", 'a', 1.0f, c + uc, f * 2, !b, -f, sizeof(c) == 1, (float)3);
    take("i", (char)200);
    take("lllllll", 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    int arr[3] = {7, 8, 9};
    take("iii", arr[0], *(arr + 1), arr[2]);
    return bf.a;
}
