// A queueing simulation with integer time, events in a sorted list.
#include <stdio.h>
#include <stdlib.h>
struct ev { int t, kind, who; struct ev *next; };
static struct ev *q;
static unsigned seed = 42;
static unsigned rnd(unsigned n) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}
static void at(int t, int kind, int who) {
    struct ev *e = malloc(sizeof *e), **p = &q;
    *e = (struct ev){t, kind, who, 0};
    while (*p && (*p)->t <= t) p = &(*p)->next;
    e->next = *p;
    *p = e;
}
int main(void) {
    int waiting[64], head = 0, tail = 0, busy = 0, served = 0, total = 0, now = 0, arrived[64], n = 30;
    for (int i = 0, t = 0; i < n; i++) at(t += rnd(5), 0, i);
    while (q) {
        struct ev *e = q;
        q = e->next;
        now = e->t;
        if (e->kind == 0) { arrived[e->who] = now; waiting[tail++] = e->who; } else {
            busy--;
            served++;
            total += now - arrived[e->who];
        }
        while (busy < 2 && head < tail) {
            busy++;
            at(now + 2 + rnd(6), 1, waiting[head++]);
        }
        if (served % 10 == 0 && e->kind) printf("t=%d served %d queue %d\n", now, served, tail - head);
        free(e);
    }
    printf("%d %d %d\n", now, served, total); return served;
}
