// A gap buffer editor: insertions, deletions, cursor movement.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct gb { char *b; size_t cap, gs, ge; };
static void grow(struct gb *g) {
    size_t nc = g->cap * 2, tail = g->cap - g->ge;
    g->b = realloc(g->b, nc);
    memmove(g->b + nc - tail, g->b + g->ge, tail);
    g->ge = nc - tail;
    g->cap = nc;
}
static void ins(struct gb *g, const char *s) {
    for (; *s; s++) { if (g->gs == g->ge) grow(g); g->b[g->gs++] = *s; }
}
static void mv(struct gb *g, int d) {
    for (; d < 0 && g->gs; d++) g->b[--g->ge] = g->b[--g->gs];
    for (; d > 0 && g->ge < g->cap; d--) g->b[g->gs++] = g->b[g->ge++];
}
static void del(struct gb *g, int n) { while (n-- && g->gs) g->gs--; }
static void show(const struct gb *g) {
    printf("%.*s|%.*s (%zu)\n", (int)g->gs, g->b, (int)(g->cap - g->ge), g->b + g->ge, g->cap);
}
int main(void) {
    struct gb g = {malloc(8), 8, 0, 8};
    ins(&g, "hello world");
    show(&g);
    mv(&g, -5);
    ins(&g, "brave new ");
    show(&g);
    mv(&g, -100);
    ins(&g, ">> ");
    show(&g);
    mv(&g, 100);
    del(&g, 5);
    ins(&g, "day");
    show(&g);
    mv(&g, -3);
    del(&g, 4);
    show(&g);
    int n = g.gs + g.cap - g.ge;
    free(g.b);
    return n;
}
