// Designators in any order, omitted members are zero, later ones win.
#include <stdio.h>
struct p { int x, y, z; }; struct line { struct p a, b; const char *name; int w[4]; };
static struct line g = {.name = "global", .b.y = 5, .a = {1, .z = 3}, .w[2] = 7, 8};
int main(void) {
    struct p p = {.z = 3, .x = 1}; printf("%d %d %d\n", p.x, p.y, p.z);
    struct p q = {.y = 2, 3}; printf("%d %d %d\n", q.x, q.y, q.z);
    struct p r = {1, 2, 3, .x = 10}; printf("%d %d %d\n", r.x, r.y, r.z);
    struct p s = {.x = 1, .x = 2}; printf("%d\n", s.x);
    printf("%s %d %d %d %d %d %d\n", g.name, g.a.x, g.a.y, g.a.z, g.b.y, g.w[2], g.w[3]);
    struct line l = {.a = {1, 2, 3}, .a.y = 20, .w = {[1] = 1, [3] = 3}};
    printf("%d %d %d %d%d%d%d %d\n", l.a.x, l.a.y, l.a.z, l.w[0], l.w[1], l.w[2], l.w[3], l.name == 0);
    struct line m = {{1, 2, 3}, .b.z = 9, .name = "m"}; printf("%d %d %d %s\n", m.a.z, m.b.x, m.b.z, m.name);
    int k = 4;
    struct line n = {.b = {k, k * k, k * k * k}, .w = {k, [2] = k + 1}};
    printf("%d %d %d %d\n", n.b.z, n.w[0], n.w[1], n.w[2]);
    return n.b.z;
}
