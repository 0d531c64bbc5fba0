// A fixed-block pool with a free list, and a bump arena.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
union blk { union blk *next; long pad[2]; char data[16]; };
struct pool { union blk mem[8], *free; int used; };
static void init(struct pool *p) {
    p->free = NULL;
    p->used = 0;
    for (int i = 8; i--;) { p->mem[i].next = p->free; p->free = &p->mem[i]; }
}
static void *get(struct pool *p) {
    union blk *b = p->free;
    if (!b) return NULL;
    p->free = b->next;
    p->used++;
    return b;
}
static void put(struct pool *p, void *v) {
    union blk *b = v;
    b->next = p->free;
    p->free = b;
    p->used--;
}
struct arena { char *base; size_t n, cap; };
static void *al(struct arena *a, size_t n, size_t al) {
    size_t s = (a->n + al - 1) & ~(al - 1);
    if (s + n > a->cap) return NULL;
    a->n = s + n;
    return a->base + s;
}
int main(void) {
    static struct pool p;
    init(&p);
    void *v[10];
    int got = 0;
    for (int i = 0; i < 10; i++) if ((v[i] = get(&p))) {
        memset(v[i], 'a' + i, 16);
        got++;
    }
    printf("%d %d\n", got, p.used);
    put(&p, v[3]);
    put(&p, v[5]);
    void *x = get(&p), *y = get(&p);
    printf("%d %d %d\n", x == v[5], y == v[3], get(&p) == NULL);
    printf("%c\n", ((char *)v[7])[15]);
    struct arena a = {malloc(128), 0, 128};
    char *c = al(&a, 3, 1);
    double *d = al(&a, 8 * 4, 8);
    int *i = al(&a, 4, 4);
    strcpy(c, "ab");
    for (int k = 0; k < 4; k++) d[k] = k + 0.5;
    *i = 9;
    printf("%s %g %d %zu %d\n", c, d[3], *i, a.n, al(&a, 100, 1) == NULL);
    int r = (int)((char *)i - a.base);
    free(a.base);
    return r;
}
