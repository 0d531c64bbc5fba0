// A variant tree printed as JSON, built on the heap, measured and freed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum k { NUL, BOOL, NUM, STR, ARR, OBJ };
struct v { enum k k; union { int b; double n; char *s; struct { struct v **e; char **keys; int n; } c; }; };
static int live;
static struct v *mk(enum k k) {
    struct v *v = calloc(1, sizeof *v);
    v->k = k;
    live++;
    return v;
}
static struct v *num(double d) {
    struct v *v = mk(NUM);
    v->n = d;
    return v;
}
static struct v *str(const char *s) {
    struct v *v = mk(STR);
    v->s = strdup(s);
    return v;
}
static struct v *add(struct v *c, const char *key, struct v *e) {
    c->c.e = realloc(c->c.e, (c->c.n + 1) * sizeof *c->c.e);
    c->c.e[c->c.n] = e;
    if (c->k == OBJ) {
        c->c.keys = realloc(c->c.keys, (c->c.n + 1) * sizeof *c->c.keys);
        c->c.keys[c->c.n] = strdup(key);
    }
    c->c.n++;
    return c;
}
static void put(const struct v *v) {
    switch (v->k) {
        case NUL: printf("null");
        break;
        case BOOL: printf(v->b ? "true" : "false");
        break;
        case NUM: printf("%g", v->n);
        break;
        case STR: putchar('"');
        for (char *p = v->s; *p; p++) *p == '"' || *p == '\\' ? printf("\\%c", *p) : *p == '\n' ? printf("\\n") : putchar(*p);
        putchar('"');
        break;
        default: putchar(v->k == ARR ? '[' : '{');
        for (int i = 0; i < v->c.n; i++) {
            if (i) putchar(',');
            if (v->k == OBJ) printf("\"%s\":", v->c.keys[i]);
            put(v->c.e[i]);
        }
        putchar(v->k == ARR ? ']' : '}');
    }
}
static void drop(struct v *v) {
    if (v->k == STR) free(v->s);
    if (v->k >= ARR) {
        for (int i = 0; i < v->c.n; i++) {
            drop(v->c.e[i]);
            if (v->k == OBJ) free(v->c.keys[i]);
        }
        free(v->c.e);
        free(v->c.keys);
    }
    free(v);
    live--;
}
static int depth(const struct v *v) {
    int d = 0;
    if (v->k >= ARR) for (int i = 0; i < v->c.n; i++) {
        int k = depth(v->c.e[i]);
        if (k > d) d = k;
    }
    return 1 + d;
}
int main(void) {
    struct v *t = mk(BOOL);
    t->b = 1;
    struct v *a = mk(ARR);
    for (int i = 0; i < 4; i++) add(a, 0, num(i * 1.5));
    struct v *o = add(add(add(mk(OBJ), "name", str("a \"q\"\n\\")), "list", a), "ok", t);
    add(o, "none", mk(NUL));
    add(o, "nest", add(mk(ARR), 0, mk(OBJ)));
    put(o); puts(""); int d = depth(o), n = live; drop(o); printf("%d %d %d\n", d, n, live); return d;
}
