// A variant type with a tag, by value and in arrays.
#include <stdio.h>
enum kind { INT, DBL, STR, PAIR };
struct val { enum kind k; union { long i; double d; const char *s; struct { short a, b; } p; }; };
static struct val mki(long i) { return (struct val){INT, .i = i}; }
static struct val mkd(double d) { return (struct val){DBL, .d = d}; }
static struct val mks(const char *s) { return (struct val){STR, .s = s}; }
static struct val mkp(short a, short b) { return (struct val){PAIR, .p = {a, b}}; }
static void show(struct val v) {
    switch (v.k) {
    case INT: printf("int %ld\n", v.i); break;
    case DBL: printf("dbl %g\n", v.d); break;
    case STR: printf("str %s\n", v.s); break;
    case PAIR: printf("pair %d,%d\n", v.p.a, v.p.b); break;
    }
}
static struct val add(struct val a, struct val b) {
    if (a.k == INT && b.k == INT) return mki(a.i + b.i);
    if (a.k == PAIR && b.k == PAIR) return mkp(a.p.a + b.p.a, a.p.b + b.p.b);
    return mkd((a.k == INT ? a.i : a.d) + (b.k == INT ? b.i : b.d));
}
int main(void) {
    struct val vs[] = {mki(5), mkd(2.5), mks("five"), mkp(1, 2), add(mki(3), mki(4)), add(mki(3), mkd(0.5)), add(mkp(1, 2), mkp(3, 4))};
    for (unsigned i = 0; i < sizeof vs / sizeof *vs; i++) show(vs[i]);
    vs[2] = vs[0]; vs[2].i *= 100; show(vs[2]); show(vs[0]);
    return sizeof(struct val);
}
