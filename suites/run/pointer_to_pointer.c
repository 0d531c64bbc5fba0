// Indirection several levels deep; out-parameters; deleting from a list by link.
#include <stdio.h>
struct n { int v; struct n *next; };
static void set(int **pp, int *t) { *pp = t; }
static void swap(void **a, void **b) { void *t = *a; *a = *b; *b = t; }
static void drop(struct n **l, int v) {
    while (*l) { if ((*l)->v == v) *l = (*l)->next; else l = &(*l)->next; }
}
static int depth(int ****p) { return ****p; }
int main(void) {
    int x = 1, y = 2, *p = &x, **pp = &p, ***ppp = &pp;
    ***ppp = 10;
    *pp = &y;
    **pp = 20;
    printf("%d %d %d\n", x, y, depth(&ppp));
    set(&p, &x); printf("%d\n", *p);
    void *a = "A", *b = "B"; swap(&a, &b); printf("%s%s\n", (char *)a, (char *)b);
    struct n d = {3, 0}, c = {1, &d}, e = {2, &c}, f = {1, &e}, *l = &f;
    drop(&l, 1);
    for (struct n *q = l; q; q = q->next) printf("%d ", q->v);
    puts(""); drop(&l, 3); drop(&l, 2); printf("%d\n", l == 0);
    const char *words[] = {"x", "yy", "zzz"};
    const char **w = words + 1;
    const char ***pw = &w;
    printf("%s %c %s\n", **pw, (*pw)[1][2], *(*pw - 1));
    ++*pw; printf("%s\n", *w);
    int arr[2][2] = {{1, 2}, {3, 4}};
    int (*r)[2] = arr, (**rr)[2] = &r;
    printf("%d %d\n", (*rr)[1][0], (**rr)[1]);
    return **pp;
}
