// Singly linked list: push, append, reverse, remove, insert sorted.
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *h, int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = h;
    return n;
}
static void append(struct node **h, int v) { while (*h) h = &(*h)->next; *h = push(NULL, v); }
static struct node *reverse(struct node *h) {
    struct node *r = NULL;
    while (h) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}
static void del(struct node **h, int v) {
    while (*h) if ((*h)->v == v) {
        struct node *d = *h;
        *h = d->next;
        free(d);
    } else h = &(*h)->next;
}
static void sorted(struct node **h, int v) { while (*h && (*h)->v < v) h = &(*h)->next; *h = push(*h, v); }
static void show(const char *t, const struct node *h) {
    printf("%s:", t);
    for (; h; h = h->next) printf(" %d", h->v);
    puts("");
}
static int len(const struct node *h) { return h ? 1 + len(h->next) : 0; }
static void drop(struct node *h) {
    if (h) { drop(h->next); free(h); }
}
int main(void) {
    struct node *l = NULL;
    for (int i = 0; i < 5; i++) l = push(l, i);
    append(&l, 10);
    append(&l, 2);
    show("built", l);
    l = reverse(l);
    show("reversed", l);
    del(&l, 2);
    show("deleted", l);
    struct node *s = NULL;
    int xs[] = {5, 1, 9, 3, 7, 3};
    for (int i = 0; i < 6; i++) sorted(&s, xs[i]);
    show("sorted", s);
    int n = len(l) * 10 + len(s);
    drop(l);
    drop(s);
    return n;
}
