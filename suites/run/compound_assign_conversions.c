// a op= b computes in the common type, then converts to a's type.
#include <stdio.h>
int main(void) {
    int i = 7; i /= 0.5; printf("%d\n", i);
    i *= 1.75; printf("%d\n", i);
    i += 0.9; printf("%d\n", i);
    i -= 100.5; printf("%d\n", i);
    unsigned char c = 200; c += 100; printf("%d\n", c);
    c *= 2.5; printf("%d\n", c);
    c -= 300; printf("%d\n", c);
    c = 10; c /= -2 + 5; printf("%d\n", c);
    signed char s = 100; s += 100; printf("%d\n", s);
    s >>= 1; printf("%d\n", s);
    short h = -5; h %= 3; printf("%d\n", h);
    h |= 0x12340; printf("%d\n", h);
    unsigned u = 1; u -= 2; printf("%u\n", u);
    u /= 2.0; printf("%u\n", u);
    float f = 1; f += 1e-9; printf("%d\n", f == 1.0f);
    f /= 3; double d = f; printf("%.9f %.9f\n", f, d);
    long l = 1L << 40; l += 0.5; printf("%ld\n", l);
    l <<= 2; l ^= 0xff; printf("%ld\n", l);
    char x = 'a'; x += 1; x -= 'A' - 'a'; printf("%d\n", x);
    int y = (i = 3, i *= 2, i += i); printf("%d %d\n", i, y);
    return c;
}
