// leaks: 19 25
// A doubly linked list: all nodes refer to each other, nothing refers to them.
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

struct n { struct n *prev, *next; int v; };
__attribute__((noinline)) static struct n *first(void) {
    struct n *x = malloc(sizeof *x);
    x->prev = x->next = x;
    x->v = 0;
    return x;
}
__attribute__((noinline)) static void after(struct n *a, int v) {
    struct n *x = malloc(sizeof *x);
    x->v = v;
    x->prev = a;
    x->next = a->next;
    a->next->prev = x;
    a->next = x;
}
__attribute__((noinline)) static int run(void) {
    struct n *h = first();
    after(h, 1);
    after(h, 2);
    return h->next->v * 10 + h->prev->v;
}
int main(void) {
    printf("%d\n", run());
    clobber();
    return 0;
}
