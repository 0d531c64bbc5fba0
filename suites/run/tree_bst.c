// Binary search tree: insert, find, delete, traversals.
#include <stdio.h>
#include <stdlib.h>
struct t { int k; struct t *l, *r; };
static struct t *ins(struct t *n, int k) {
    if (!n) { n = calloc(1, sizeof *n); n->k = k; } else if (k < n->k) n->l = ins(n->l, k);
    else if (k > n->k) n->r = ins(n->r, k);
    return n;
}
static struct t *del(struct t *n, int k) {
    if (!n) return n;
    if (k < n->k) n->l = del(n->l, k);
    else if (k > n->k) n->r = del(n->r, k);
    else if (!n->l || !n->r) {
        struct t *c = n->l ? n->l : n->r;
        free(n);
        return c;
    } else {
        struct t *m = n->r;
        while (m->l) m = m->l;
        n->k = m->k;
        n->r = del(n->r, m->k);
    }
    return n;
}
static void in(const struct t *n) {
    if (n) {
        in(n->l);
        printf("%d ", n->k);
        in(n->r);
    }
}
static void pre(const struct t *n) {
    if (n) {
        printf("%d(", n->k);
        pre(n->l);
        pre(n->r);
        printf(")");
    }
}
static int h(const struct t *n) {
    if (!n) return 0;
    int a = h(n->l), b = h(n->r);
    return 1 + (a > b ? a : b);
}
static int has(const struct t *n, int k) {
    while (n && n->k != k) n = k < n->k ? n->l : n->r;
    return n != NULL;
}
static void drop(struct t *n) {
    if (n) {
        drop(n->l);
        drop(n->r);
        free(n);
    }
}
int main(void) {
    struct t *r = NULL;
    int ks[] = {50, 30, 70, 20, 40, 60, 80, 35, 45, 65, 30};
    for (int i = 0; i < 11; i++) r = ins(r, ks[i]);
    in(r);
    puts("");
    pre(r);
    puts("");
    printf("%d %d %d\n", h(r), has(r, 45), has(r, 46));
    r = del(r, 20);
    r = del(r, 30);
    r = del(r, 50);
    r = del(r, 999);
    in(r);
    puts("");
    pre(r);
    puts("");
    int d = h(r);
    drop(r);
    return d;
}
