// A rope: concatenation nodes, indexing, substring, flattening.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rope { int len; struct rope *l, *r; const char *s; };
static struct rope pool[64];
static int used;
static struct rope *leaf(const char *s) {
    pool[used] = (struct rope){strlen(s), 0, 0, s};
    return &pool[used++];
}
static struct rope *cat(struct rope *a, struct rope *b) {
    if (!a) return b;
    if (!b) return a;
    pool[used] = (struct rope){a->len + b->len, a, b, 0};
    return &pool[used++];
}
static char at(const struct rope *r, int i) {
    while (!r->s) if (i < r->l->len) r = r->l;
    else { i -= r->l->len; r = r->r; }
    return r->s[i];
}
static struct rope *sub(struct rope *r, int from, int n) {
    if (n <= 0) return 0;
    if (from == 0 && n == r->len) return r;
    if (r->s) {
        char *c = strndup(r->s + from, n);
        struct rope *x = leaf(c);
        return x;
    }
    int k = r->l->len;
    if (from + n <= k) return sub(r->l, from, n);
    if (from >= k) return sub(r->r, from - k, n);
    return cat(sub(r->l, from, k - from), sub(r->r, 0, from + n - k));
}
static void put(const struct rope *r) {
    if (r->s) fputs(r->s, stdout);
    else { put(r->l); put(r->r); }
}
int main(void) {
    struct rope *r = cat(cat(leaf("the "), leaf("quick ")), cat(leaf("brown "), leaf("fox")));
    put(r);
    printf(" %d %c%c\n", r->len, at(r, 4), at(r, 18));
    int mark = used;
    struct rope *s = sub(r, 2, 10);
    put(s);
    printf("| %d\n", s->len);
    struct rope *t = cat(sub(r, 0, 4), sub(r, 10, r->len - 10));
    put(t);
    printf("| %d\n", used);
    for (int i = mark; i < used; i++) if (pool[i].s && pool[i].len != 4 + 100) {
        int own = 1;
        for (int j = 0; j < mark; j++) own &= pool[j].s != pool[i].s;
        if (own) free((char *)pool[i].s);
    }
    return t->len;
}
