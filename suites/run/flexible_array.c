// A flexible array member allocated with its header.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct str { unsigned len; char data[]; };
struct vec { int n; double v[]; };
struct recs { short count; struct { int id; char tag; } r[]; };
static struct str *mk(const char *s) {
    unsigned n = strlen(s);
    struct str *r = malloc(sizeof *r + n + 1);
    r->len = n;
    memcpy(r->data, s, n + 1);
    return r;
}
static struct str *cat(const struct str *a, const struct str *b) {
    struct str *r = malloc(sizeof *r + a->len + b->len + 1); r->len = a->len + b->len;
    memcpy(r->data, a->data, a->len); strcpy(r->data + a->len, b->data); return r;
}
static struct str fixed = {5, "fixed"};
int main(void) {
    struct str *a = mk("flexible "), *b = mk("array"), *c = cat(a, b), *d = cat(c, &fixed);
    printf("%u %s %u %s\n", c->len, c->data, d->len, d->data);
    struct vec *v = malloc(sizeof *v + 10 * sizeof v->v[0]); v->n = 10;
    for (int i = 0; i < v->n; i++) v->v[i] = i / 2.0;
    double s = 0; for (int i = 0; i < v->n; i++) s += v->v[i];
    printf("%g %zu %zu %zu\n", s, sizeof(struct str), sizeof(struct vec), sizeof(struct recs));
    struct recs *r = calloc(1, sizeof *r + 3 * sizeof r->r[0]); r->count = 3;
    for (int i = 0; i < 3; i++) { r->r[i].id = i * i; r->r[i].tag = 'a' + i; }
    printf("%d %c %d\n", r->r[2].id, r->r[1].tag, r->r[0].id);
    int rc = c->len;
    free(a); free(b); free(c); free(d); free(v); free(r);
    return rc;
}
