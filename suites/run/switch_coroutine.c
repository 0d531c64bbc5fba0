// A coroutine by a switch on a saved line.
#include <stdio.h>
struct gen { int state, i, j; };
#define BEGIN(g) switch ((g)->state) { case 0:
#define YIELD(g, v) do { (g)->state = __LINE__; return (v); case __LINE__:; } while (0)
#define END(g) } (g)->state = -1; return -1
static int pairs(struct gen *g) {
    BEGIN(g);
    for (g->i = 0; g->i < 3; g->i++) {
        for (g->j = g->i; g->j < 3; g->j++)
            YIELD(g, g->i * 10 + g->j);
        YIELD(g, 1000 + g->i);
    }
    END(g);
}
int main(void) {
    struct gen a = {0}, b = {0}; int v, n = 0, s = 0;
    while ((v = pairs(&a)) >= 0) { printf("%d ", v); s += v; if (++n % 3 == 0) printf("[%d] ", pairs(&b)); }
    puts(""); printf("%d %d %d\n", n, s, a.state); printf("%d\n", pairs(&b)); return n;
}
