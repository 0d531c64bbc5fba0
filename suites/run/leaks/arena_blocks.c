// leaks: none
// An arena frees its chunks and with them everything inside.
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

struct chunk { struct chunk *next; int used; char mem[128]; };
struct arena { struct chunk *head; };
__attribute__((noinline)) static void *al(struct arena *a, int n) {
    if (!a->head || a->head->used + n > 128) {
        struct chunk *c = malloc(sizeof *c);
        c->next = a->head;
        c->used = 0;
        a->head = c;
    }
    void *p = a->head->mem + a->head->used;
    a->head->used += n;
    return p;
}
__attribute__((noinline)) static int drop(struct arena *a) {
    int n = 0;
    for (struct chunk *c = a->head, *t; c; c = t, n++) {
        t = c->next;
        free(c);
    }
    return n;
}
int main(void) {
    struct arena a = {0};
    for (int i = 0; i < 10; i++) *(char *)al(&a, 40) = i;
    printf("%d\n", drop(&a));
    clobber();
    return 0;
}
