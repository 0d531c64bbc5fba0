// Expression trees: build, print, evaluate, simplify, free.
#include <stdio.h>
#include <stdlib.h>
typedef struct e { char op; int v; struct e *l, *r; } e;
static int live;
static e *num(int v) {
    e *x = calloc(1, sizeof *x);
    live++;
    x->op = 'n';
    x->v = v;
    return x;
}
static e *var(void) {
    e *x = num(0);
    x->op = 'x';
    return x;
}
static e *bin(char op, e *l, e *r) {
    e *x = num(0);
    x->op = op;
    x->l = l;
    x->r = r;
    return x;
}
static void drop(e *x) {
    if (x) {
        drop(x->l);
        drop(x->r);
        free(x);
        live--;
    }
}
static void show(const e *x) {
    if (x->op == 'n') printf("%d", x->v);
    else if (x->op == 'x') printf("x");
    else {
        printf("(");
        show(x->l);
        printf("%c", x->op);
        show(x->r);
        printf(")");
    }
}
static int ev(const e *x, int v) {
    switch (x->op) {
        case 'n': return x->v;
        case 'x': return v;
        case '+': return ev(x->l, v) + ev(x->r, v);
        case '-': return ev(x->l, v) - ev(x->r, v);
        default: return ev(x->l, v) * ev(x->r, v);
    }
}
static e *copy(const e *x) {
    if (!x) return 0;
    e *c = num(x->v);
    c->op = x->op;
    c->l = copy(x->l);
    c->r = copy(x->r);
    return c;
}
static e *diff(const e *x) {
    switch (x->op) {
        case 'n': return num(0);
        case 'x': return num(1);
        case '*': return bin('+', bin('*', diff(x->l), copy(x->r)), bin('*', copy(x->l), diff(x->r)));
        default: return bin(x->op, diff(x->l), diff(x->r));
    }
}
static int is(const e *x, int v) { return x->op == 'n' && x->v == v; }
static e *simp(e *x) {
    if (!x->l) return x;
    x->l = simp(x->l);
    x->r = simp(x->r);
    e *keep = 0;
    if (x->op == '*' && (is(x->l, 0) || is(x->r, 0))) { drop(x); return num(0); }
    if (x->op == '*' && is(x->l, 1) || x->op == '+' && is(x->l, 0)) {
        keep = x->r;
        x->r = 0;
    } else if (x->op == '*' && is(x->r, 1) || x->op != '*' && is(x->r, 0)) {
        keep = x->l;
        x->l = 0;
    }
    if (keep) { drop(x); return keep; }
    return x;
}
int main(void) {
    e *x = bin('+', bin('*', var(), bin('*', var(), num(3))), bin('-', bin('*', num(5), var()), num(7)));
    show(x);
    printf(" = %d\n", ev(x, 2));
    e *d = diff(x);
    show(d);
    printf(" = %d\n", ev(d, 2));
    d = simp(d);
    show(d);
    printf(" = %d live %d\n", ev(d, 2), live);
    int r = ev(d, 10);
    drop(x);
    drop(d);
    printf("%d\n", live);
    return r;
}
