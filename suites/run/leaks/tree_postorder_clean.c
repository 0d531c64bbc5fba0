// leaks: none
// Post-order release.
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

struct t { int k; struct t *l, *r; };
__attribute__((noinline)) static struct t *ins(struct t *t, int k) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->k = k;
    } else if (k < t->k) t->l = ins(t->l, k);
    else t->r = ins(t->r, k);
    return t;
}
__attribute__((noinline)) static int drop(struct t *t) {
    if (!t) return 0;
    int n = 1 + drop(t->l) + drop(t->r);
    free(t);
    return n;
}
int main(void) {
    struct t *t = NULL;
    int ks[] = {5, 2, 8, 1, 9};
    for (int i = 0; i < 5; i++) t = ins(t, ks[i]);
    printf("%d\n", drop(t));
    clobber();
    return 0;
}
