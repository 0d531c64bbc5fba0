// Merge sort of a linked list, stable.
#include <stdio.h>
#include <stdlib.h>
struct n { int key, seq; struct n *next; };
static struct n *merge(struct n *a, struct n *b) {
    struct n h, *t = &h;
    while (a && b) {
        if (a->key <= b->key) { t->next = a; a = a->next; } else {
            t->next = b;
            b = b->next;
        }
        t = t->next;
    }
    t->next = a ? a : b;
    return h.next;
}
static struct n *sort(struct n *l) {
    if (!l || !l->next) return l;
    struct n *s = l, *f = l->next;
    while (f && f->next) { s = s->next; f = f->next->next; }
    struct n *r = s->next;
    s->next = NULL;
    return merge(sort(l), sort(r));
}
int main(void) {
    struct n *l = NULL, **e = &l;
    unsigned x = 7;
    for (int i = 0; i < 40; i++) {
        x = x * 1103515245u + 12345u;
        *e = malloc(sizeof **e);
        (*e)->key = x >> 16 & 15;
        (*e)->seq = i;
        (*e)->next = NULL;
        e = &(*e)->next;
    }
    l = sort(l);
    unsigned h = 0;
    int ok = 1;
    for (struct n *p = l; p; p = p->next) {
        printf("%d/%d ", p->key, p->seq);
        h = h * 31 + p->seq;
        if (p->next && (p->key > p->next->key || (p->key == p->next->key && p->seq > p->next->seq))) ok = 0;
    }
    printf("\n%u %d\n", h, ok);
    while (l) {
        struct n *t = l->next;
        free(l);
        l = t;
    }
    return ok ? 0 : 1;
}
