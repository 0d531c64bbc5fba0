// Designators that reach through several levels, brace elision around them.
#include <stdio.h>
struct leaf { char c; short v[2]; };
struct mid { struct leaf l[2]; int n; };
struct top { struct mid m[2]; union { int i; double d; } u; };
static struct top t = {.m[0].l[1].v[0] = 11, 12, 13, .m[1] = {.l = {{'a', {1, 2}}, {'b'}}, .n = 5}, .u.d = 2.5};
int main(void) {
    printf("%d %d %d\n", t.m[0].l[1].v[0], t.m[0].l[1].v[1], t.m[0].n);
    printf("%c %d %d %c %d %d %g\n", t.m[1].l[0].c, t.m[1].l[0].v[0], t.m[1].l[0].v[1], t.m[1].l[1].c, t.m[1].l[1].v[0], t.m[1].n, t.u.d);
    struct top e = {'x', 1, 2, 'y', 3, 4, 100, 'z', 5, 6, 'w', 7, 8, 200, 300};
    printf("%c %d %c %d %d %c %d %d %d\n", e.m[0].l[0].c, e.m[0].l[0].v[1], e.m[0].l[1].c, e.m[0].l[1].v[0], e.m[0].n, e.m[1].l[0].c, e.m[1].l[1].v[1], e.m[1].n, e.u.i);
    struct mid src = {{{'q', {8, 9}}}, 77};
    struct top f = {.m = {src, [1].n = 3}};
    printf("%c %d %d %d\n", f.m[0].l[0].c, f.m[0].l[0].v[1], f.m[0].n, f.m[1].n);
    int g[2][2][2] = {1, 2, {3}, {{5}, 7, 8}};
    int s = 0;
    for (int i = 0; i < 8; i++) s = s * 10 + ((int *)g)[i];
    printf("%d\n", s);
    struct top z = {}; printf("%d %d\n", z.m[1].n, z.u.i);
    return e.m[0].n;
}
