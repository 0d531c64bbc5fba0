// Doubly linked circular list with a sentinel.
#include <stdio.h>
#include <stdlib.h>
struct n { struct n *prev, *next; int v; };
static void init(struct n *h) { h->prev = h->next = h; }
static void ins(struct n *a, struct n *x) {
    x->next = a->next;
    x->prev = a;
    a->next->prev = x;
    a->next = x;
}
static void unlink_(struct n *x) { x->prev->next = x->next; x->next->prev = x->prev; }
static struct n *mk(int v) {
    struct n *x = malloc(sizeof *x);
    x->v = v;
    return x;
}
static void show(struct n *h) {
    for (struct n *p = h->next; p != h; p = p->next) printf("%d ", p->v);
    printf("| ");
    for (struct n *p = h->prev; p != h; p = p->prev) printf("%d ", p->v);
    puts("");
}
int main(void) {
    struct n h;
    init(&h);
    show(&h);
    for (int i = 1; i <= 5; i++) ins(h.prev, mk(i));
    ins(&h, mk(0));
    show(&h);
    struct n *x = h.next->next->next;
    unlink_(x);
    show(&h);
    ins(&h, x);
    show(&h);
    for (struct n *p = h.next, *t; t = p->next, p != &h; p = t) if (p->v % 2) {
        unlink_(p);
        free(p);
    }
    show(&h);
    struct n *a = h.next, *b = h.prev;
    int t = a->v;
    a->v = b->v;
    b->v = t;
    show(&h);
    int s = 0;
    while (h.next != &h) {
        x = h.next;
        s = s * 10 + x->v;
        unlink_(x);
        free(x);
    }
    return s & 0xff;
}
