// Classes with inheritance, overriding and super calls by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cls { const char *name; const struct cls *super; size_t size; void (*init)(void *, int); int (*value)(const void *); void (*fini)(void *); };
struct obj { const struct cls *c; };
struct base { struct obj o; int a; };
struct derived { struct base b; char *extra; };
static void binit(void *p, int n) { ((struct base *)p)->a = n; }
static int bvalue(const void *p) { return ((const struct base *)p)->a; }
static void bfini(void *p) { printf("fini %s\n", ((struct obj *)p)->c->name); }
static const struct cls Base = {"Base", 0, sizeof(struct base), binit, bvalue, bfini};
static const struct cls Derived;
static void dinit(void *p, int n) {
    Base.init(p, n * 2);
    struct derived *d = p;
    d->extra = malloc(8);
    sprintf(d->extra, "x%d", n);
}
static int dvalue(const void *p) {
    const struct derived *d = p;
    return ((const struct obj *)p)->c->super->value(p) + (int)strlen(d->extra) * 100;
}
static void dfini(void *p) { free(((struct derived *)p)->extra); Base.fini(p); }
static const struct cls Derived = {"Derived", &Base, sizeof(struct derived), dinit, dvalue, dfini};
static void *new(const struct cls *c, int n) {
    struct obj *o = calloc(1, c->size);
    o->c = c;
    c->init(o, n);
    return o;
}
static void delete(void *p) {
    struct obj *o = p;
    o->c->fini(o);
    free(o);
}
static int isa(const void *p, const struct cls *c) {
    for (const struct cls *k = ((const struct obj *)p)->c; k; k = k->super) if (k == c) return 1;
    return 0;
}
int main(void) {
    struct obj *os[] = {new(&Base, 5), new(&Derived, 7), new(&Derived, 123)};
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int v = os[i]->c->value(os[i]);
        printf("%s %d %d %d\n", os[i]->c->name, v, isa(os[i], &Base), isa(os[i], &Derived));
        s += v;
    }
    for (int i = 3; i--;) delete(os[i]);
    return s & 0x7f;
}
