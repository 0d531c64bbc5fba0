// Pre/post increment and decrement of _Bool, also as a bit-field and through a pointer.
#include <stdio.h>
struct flags { _Bool a : 1; _Bool b : 1; unsigned n : 2; };
int main(void) {
    _Bool t = 0;
    int r1 = t++, r2 = t++, r3 = ++t, r4 = t--, r5 = t--, r6 = --t;
    printf("%d %d %d %d %d %d\n", r1, r2, r3, r4, r5, r6);
    struct flags f = {0};
    f.a = 4; f.b = f.a; f.n = f.a + f.b;
    printf("%d %d %u\n", f.a, f.b, f.n);
    int s1 = f.a--, s2 = f.a--, s3 = f.a++, s4 = ++f.a;
    printf("%d %d %d %d\n", s1, s2, s3, s4);
    _Bool *p = &t; *p = 0; (*p)++; (*p)++;
    printf("%d\n", *p);
    _Bool all = 1, any = 0; int xs[] = {3, 0, 5};
    for (int i = 0; i < 3; i++) { all &= xs[i]; any |= xs[i] != 0; }
    printf("%d %d\n", all, any);
    return t + f.a;
}
