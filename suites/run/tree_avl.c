// AVL tree keeps its height logarithmic.
#include <stdio.h>
#include <stdlib.h>
typedef struct a { int k, h; struct a *c[2]; } a;
static int H(a *n) { return n ? n->h : 0; }
static void up(a *n) { int x = H(n->c[0]), y = H(n->c[1]); n->h = 1 + (x > y ? x : y); }
static a *rot(a *n, int d) { a *m = n->c[!d]; n->c[!d] = m->c[d]; m->c[d] = n; up(n); up(m); return m; }
static a *ins(a *n, int k) {
    if (!n) {
        n = malloc(sizeof *n);
        *n = (a){k, 1, {0, 0}};
        return n;
    }
    if (k == n->k) return n;
    int d = k > n->k;
    n->c[d] = ins(n->c[d], k);
    up(n);
    int b = H(n->c[1]) - H(n->c[0]);
    if (b > 1) {
        if (H(n->c[1]->c[0]) > H(n->c[1]->c[1])) n->c[1] = rot(n->c[1], 1);
        return rot(n, 0);
    }
    if (b < -1) {
        if (H(n->c[0]->c[1]) > H(n->c[0]->c[0])) n->c[0] = rot(n->c[0], 0);
        return rot(n, 1);
    }
    return n;
}
static int check(a *n, int lo, int hi) {
    if (!n) return 1;
    int b = H(n->c[1]) - H(n->c[0]);
    return n->k > lo && n->k < hi && b >= -1 && b <= 1 && check(n->c[0], lo, n->k) && check(n->c[1], n->k, hi);
}
static unsigned hash(a *n) {
    return n ? (hash(n->c[0]) * 31 + n->k) * 31 + hash(n->c[1]) : 7;
}
static int count(a *n) { return n ? 1 + count(n->c[0]) + count(n->c[1]) : 0; }
static void drop(a *n) {
    if (n) {
        drop(n->c[0]);
        drop(n->c[1]);
        free(n);
    }
}
int main(void) {
    a *r = NULL;
    for (int i = 0; i < 200; i++) r = ins(r, i);
    printf("%d %d %d %u\n", r->k, r->h, check(r, -1, 1000), hash(r));
    unsigned x = 1;
    for (int i = 0; i < 200; i++) { x = x * 1664525u + 1013904223u; r = ins(r, x >> 20); }
    printf("%d %d %d %u\n", count(r), r->h, check(r, -1, 100000), hash(r));
    int h = r->h;
    drop(r);
    return h;
}
