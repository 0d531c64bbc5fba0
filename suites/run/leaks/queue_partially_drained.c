// leaks: 26
// A queue is dropped with entries still in it.
#include <stdio.h>
#include <stdlib.h>

/* Dead frames below main may still hold pointers: overwrite them, the nearest as well. */
__attribute__((noinline, no_sanitize_address)) static void near_frames(void) {
    volatile long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0, m = 0;
    volatile long n = 0, o = 0, p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0, x = 0, y = 0, z = 0;
}
__attribute__((noinline, no_sanitize_address)) static void far_frames(void) {
    volatile long dead[16384];
    for (unsigned i = 0; i < 16384; i++) dead[i] = 0;
}
#define clobber() (near_frames(), far_frames())

struct e { int v; struct e *next; };
struct q { struct e *head, **tail; };
__attribute__((noinline)) static struct q *mkq(void) {
    struct q *q = malloc(sizeof *q);
    q->head = NULL;
    q->tail = &q->head;
    return q;
}
__attribute__((noinline)) static void put(struct q *q, int v) {
    struct e *e = malloc(sizeof *e);
    e->v = v;
    e->next = NULL;
    *q->tail = e;
    q->tail = &e->next;
}
__attribute__((noinline)) static int get(struct q *q) {
    struct e *e = q->head;
    int v = e->v;
    if (!(q->head = e->next)) q->tail = &q->head;
    free(e);
    return v;
}
__attribute__((noinline)) static int run(int n) {
    struct q *q = mkq();
    for (int i = 0; i < 4; i++) put(q, i);
    int s = 0;
    while (n--) s += get(q);
    free(q);
    return s;
}
int main(void) {
    printf("%d\n", run(4));
    printf("%d\n", run(2));
    clobber();
    return 0;
}
