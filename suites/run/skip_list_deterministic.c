// A skip list whose levels come from a counter.
#include <stdio.h>
#include <stdlib.h>
enum { MAXL = 5 }; struct n { int k; struct n *next[]; };
static struct n *mk(int k, int lv) {
    struct n *x = calloc(1, sizeof *x + lv * sizeof x->next[0]);
    x->k = k;
    return x;
}
static int level(void) {
    static unsigned c;
    c++;
    int l = 1;
    while (l < MAXL && !(c >> (l - 1) & 1)) l++;
    return l;
}
static void add(struct n *h, int k) {
    struct n *up[MAXL], *p = h;
    for (int l = MAXL; l--;) {
        while (p->next[l] && p->next[l]->k < k) p = p->next[l];
        up[l] = p;
    }
    if (p->next[0] && p->next[0]->k == k) return;
    int lv = level();
    struct n *x = mk(k, lv);
    for (int l = 0; l < lv; l++) { x->next[l] = up[l]->next[l]; up[l]->next[l] = x; }
}
static int find(struct n *h, int k, int *steps) {
    *steps = 0;
    for (int l = MAXL; l--;) while (h->next[l] && h->next[l]->k <= k) {
        h = h->next[l];
        ++*steps;
    }
    return h->k == k;
}
int main(void) {
    struct n *h = mk(-1, MAXL); for (int i = 0; i < 40; i++) add(h, i * 17 % 41); add(h, 5);
    for (int l = MAXL; l--;) {
        int c = 0;
        for (struct n *p = h->next[l]; p; p = p->next[l]) c++;
        printf("%d ", c);
    }
    int steps, f = find(h, 20, &steps);
    printf("| %d %d ", f, steps);
    f = find(h, 100, &steps);
    printf("%d\n", f);
    int s = 0, n = 0;
    for (struct n *p = h->next[0]; p; p = p->next[0]) { s += p->k; n++; }
    printf("%d %d\n", n, s);
    while (h) { struct n *t = h->next[0]; free(h); h = t; } return n;
}
