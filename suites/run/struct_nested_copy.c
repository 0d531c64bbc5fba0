// Copies are deep in the struct's own bytes and shallow through its pointers.
#include <stdio.h>
struct in { int v[3]; const char *s; };
struct mid { struct in a, b; char tag; };
struct out { struct mid m[2]; struct in *link; };
int main(void) {
    struct out x = {{{{{1, 2, 3}, "one"}, {{4, 5, 6}, "two"}, 'p'}, {{{7, 8, 9}, "three"}, {{10, 11, 12}, "four"}, 'q'}}, 0};
    x.link = &x.m[1].b;
    struct out y = x;
    y.m[0].a.v[0] = 100; y.m[1].tag = 'Z'; y.link->v[2] = 99;
    printf("%d %d %c %c\n", x.m[0].a.v[0], y.m[0].a.v[0], x.m[1].tag, y.m[1].tag);
    printf("%d %d\n", x.m[1].b.v[2], y.m[1].b.v[2]);
    x.m[0].a = x.m[0].b = y.m[1].a;
    printf("%d %s %s\n", x.m[0].a.v[1], x.m[0].a.s, x.m[0].b.s);
    struct mid t = x.m[0]; x.m[0] = x.m[1]; x.m[1] = t;
    printf("%c %c %s\n", x.m[0].tag, x.m[1].tag, x.m[0].b.s);
    x.m[0] = x.m[0];
    int sum = 0;
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) sum += x.m[i].a.v[j] * (i + 1) + x.m[i].b.v[j];
    printf("%d\n", sum);
    return sum & 127;
}
