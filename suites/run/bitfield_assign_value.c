// The value of an assignment to a bit-field is the value stored.
#include <stdio.h>
struct s { unsigned a : 3; int b : 3; unsigned c : 10; };
int main(void) {
    struct s x = {0};
    int r = (x.a = 13); printf("%d %u\n", r, x.a);
    r = (x.b = 13); printf("%d %d\n", r, x.b);
    r = (x.b = 3); printf("%d\n", r);
    r = x.a += 7; printf("%d\n", r);
    r = x.b -= 6; printf("%d\n", r);
    r = x.a++; printf("%d %u\n", r, x.a);
    r = ++x.a; printf("%d\n", r);
    r = x.b--; printf("%d %d\n", r, x.b);
    r = --x.b; printf("%d\n", r);
    int chain; chain = x.c = x.a = 255; printf("%d %u %u\n", chain, x.c, x.a);
    x.c = 1023; r = (x.c += 2); printf("%d\n", r);
    r = (x.c <<= 4); printf("%d\n", r);
    r = (x.a ^= 2); r += (x.c |= 1); printf("%d\n", r);
    if ((x.a = 8)) puts("nonzero"); else puts("zero");
    return x.c;
}
