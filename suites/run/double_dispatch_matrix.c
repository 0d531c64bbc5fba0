// Binary operations on two variants through a matrix of functions.
#include <stdio.h>
enum t { I, F, S, NT };
struct v { enum t t; union { int i; double f; const char *s; }; };
static struct v mi(int i) {
    return (struct v){I, {.i = i}};
}
static struct v mf(double f) {
    return (struct v){F, {.f = f}};
}
static struct v ms(const char *s) {
    return (struct v){S, {.s = s}};
}
static struct v ii(struct v a, struct v b) { return mi(a.i + b.i); }
static struct v i_f(struct v a, struct v b) { return mf(a.i + b.f); }
static struct v fi(struct v a, struct v b) { return mf(a.f + b.i); }
static struct v ff(struct v a, struct v b) { return mf(a.f + b.f); }
static struct v bad(struct v a, struct v b) {
    return ms(a.t == S && b.t == S ? "both" : "mixed");
}
static struct v (*const add[NT][NT])(struct v, struct v) = {[I] = {ii, i_f, bad}, [F] = {fi, ff, bad}, [S] = {[0 ... NT - 1] = bad}};
static void show(struct v v) {
    if (v.t == I) printf("%d ", v.i);
    else if (v.t == F) printf("%.2f ", v.f);
    else printf("%s ", v.s);
}
int main(void) {
    struct v vs[] = {mi(2), mf(0.5), ms("s")};
    int n = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            struct v r = add[vs[i].t][vs[j].t](vs[i], vs[j]);
            show(r);
            n = n * 3 + r.t;
        }
        puts("");
    }
    return n & 0x7f;
}
