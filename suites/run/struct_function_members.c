// Structs holding functions: a stack class by hand.
#include <stdio.h>
#include <stdlib.h>
typedef struct stack stack;
struct stack { int *v; int n, cap; void (*push)(stack *, int); int (*pop)(stack *); int (*fold)(const stack *, int (*)(int, int), int); };
static void push(stack *s, int x) {
    if (s->n == s->cap) s->v = realloc(s->v, (s->cap = s->cap ? 2 * s->cap : 2) * sizeof *s->v);
    s->v[s->n++] = x;
}
static int pop(stack *s) { return s->n ? s->v[--s->n] : -1; }
static int fold(const stack *s, int (*f)(int, int), int z) {
    for (int i = 0; i < s->n; i++) z = f(z, s->v[i]);
    return z;
}
static stack mk(void) {
    return (stack){.push = push, .pop = pop, .fold = fold};
}
static int add(int a, int b) { return a + b; }
static int max(int a, int b) { return a > b ? a : b; }
int main(void) {
    stack s = mk(), *p = &s;
    for (int i = 1; i <= 10; i++) p->push(p, i * i % 11);
    printf("%d %d\n", s.fold(&s, add, 0), p->fold(p, max, -1));
    int a = s.pop(&s), b = (*p).pop(p), c = p->pop(p);
    printf("%d %d %d %d\n", a, b, c, s.n);
    stack t = s;
    t.n = 1;
    printf("%d %d\n", t.fold(&t, add, 100), s.n);
    while (s.n) s.pop(&s);
    printf("%d\n", s.pop(p));
    int r = s.cap;
    free(s.v);
    return r;
}
