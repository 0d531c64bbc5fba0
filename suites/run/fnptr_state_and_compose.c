// States as functions returning the next state; composition with closures in structs.
#include <stdio.h>
struct m;
typedef struct m *(*unused)(void);
struct st { void (*next)(struct st *, char); int words, depth; };
static void outside(struct st *, char);
static void comment(struct st *s, char c) { if (c == '\n') s->next = outside; }
static void inside(struct st *s, char c) {
    if (c == '#') s->next = comment;
    else if (c == ' ' || c == '\n') s->next = outside;
}
static void outside(struct st *s, char c) {
    if (c == '#') s->next = comment;
    else if (c != ' ' && c != '\n') { s->words++; s->next = inside; }
}
struct fn { int (*f)(const struct fn *, int); int k; const struct fn *a, *b; };
static int call(const struct fn *f, int x) { return f->f(f, x); }
static int addk(const struct fn *s, int x) { return x + s->k; }
static int mulk(const struct fn *s, int x) { return x * s->k; }
static int comp(const struct fn *s, int x) { return call(s->a, call(s->b, x)); }
static int iter(const struct fn *s, int x) {
    for (int i = 0; i < s->k; i++) x = call(s->a, x);
    return x;
}
int main(void) {
    struct st s = {outside};
    for (const char *t = "one two # three four\nfive#six\n seven"; *t; t++) s.next(&s, *t);
    printf("%d %d\n", s.words, s.next == inside);
    struct fn a = {addk, 3}, m = {mulk, 2}, c = {comp, 0, &a, &m}, c2 = {comp, 0, &m, &a}, it = {iter, 5, &c};
    printf("%d %d %d\n", call(&c, 10), call(&c2, 10), call(&it, 1));
    return call(&it, 0);
}
