// Struct operands of ?:, comma, statement expressions, assignment chains.
#include <stdio.h>
struct p { int x, y; };
static struct p sw(struct p a) { return (struct p){a.y, a.x}; }
int main(void) {
    struct p a = {1, 2}, b = {3, 4}, c, d;
    c = d = sw(a); printf("%d %d %d %d\n", c.x, c.y, d.x, d.y);
    for (int i = 0; i < 2; i++) { struct p t = i ? a : b; printf("%d %d\n", t.x, t.y); }
    struct p e = (a.x++, b.y--, a); printf("%d %d %d\n", e.x, e.y, b.y);
    struct p f = ({ struct p t = a; t.x *= 10; t; }); printf("%d %d\n", f.x, f.y);
    struct p *q = &c; *q = *(a.x > b.x ? &a : &b); printf("%d %d\n", c.x, c.y);
    *(1 ? &c : &d) = a; (1 ? &c : &d)->y = 77; printf("%d %d\n", c.x, c.y);
    struct p arr[2] = {a, b};
    arr[0] = arr[1];
    arr[1].x = arr[0].y;
    printf("%d %d %d\n", arr[0].x, arr[1].x, arr[1].y);
    struct { struct p a; int n; } w = {a, 5}, w2; w2 = w; w2.a = b; printf("%d %d %d\n", w.a.x, w2.a.x, w2.n);
    return sw((struct p){.x = 11}).y;
}
