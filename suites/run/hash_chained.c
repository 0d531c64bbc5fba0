// A chained hash table with string keys and resizing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct ent { char *k; int v; struct ent *next; }; struct tab { struct ent **b; unsigned n, used; };
static unsigned hs(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 ^ (unsigned char)*s++;
    return h;
}
static void resize(struct tab *t, unsigned n) {
    struct ent **nb = calloc(n, sizeof *nb);
    for (unsigned i = 0; i < t->n; i++) for (struct ent *e = t->b[i], *x; e; e = x) {
        x = e->next;
        unsigned h = hs(e->k) % n;
        e->next = nb[h];
        nb[h] = e;
    }
    free(t->b);
    t->b = nb;
    t->n = n;
}
static int *at(struct tab *t, const char *k) {
    if (t->used >= t->n) resize(t, t->n ? t->n * 2 : 4);
    struct ent **p = &t->b[hs(k) % t->n];
    for (; *p; p = &(*p)->next) if (!strcmp((*p)->k, k)) return &(*p)->v;
    *p = calloc(1, sizeof **p);
    (*p)->k = strdup(k);
    t->used++;
    return &(*p)->v;
}
static int rm(struct tab *t, const char *k) {
    for (struct ent **p = &t->b[hs(k) % t->n]; *p; p = &(*p)->next) if (!strcmp((*p)->k, k)) {
        struct ent *d = *p;
        *p = d->next;
        free(d->k);
        free(d);
        t->used--;
        return 1;
    }
    return 0;
}
int main(void) {
    struct tab t = {0};
    char k[16];
    for (int i = 0; i < 100; i++) { sprintf(k, "key%d", i * 7 % 50); *at(&t, k) += i; }
    printf("%u %u\n", t.used, t.n);
    int s = 0;
    for (int i = 0; i < 50; i++) { sprintf(k, "key%d", i); s += *at(&t, k) * (i + 1); }
    printf("%d\n", s);
    printf("%d %d\n", rm(&t, "key7"), rm(&t, "nokey"));
    printf("%u %d\n", t.used, *at(&t, "key8"));
    unsigned u = t.used;
    for (unsigned i = 0; i < t.n; i++) for (struct ent *e = t.b[i], *x; e; e = x) {
        x = e->next;
        free(e->k);
        free(e);
    }
    free(t.b);
    return u;
}
