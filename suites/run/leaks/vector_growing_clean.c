// leaks: none
// A growing vector with a destructor.
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

struct vec { int *v, n, cap; };
__attribute__((noinline)) static void push(struct vec *v, int x) {
    if (v->n == v->cap) {
        v->cap = v->cap ? v->cap * 2 : 2;
        v->v = realloc(v->v, v->cap * sizeof *v->v);
    }
    v->v[v->n++] = x;
}
__attribute__((noinline)) static void drop(struct vec *v) {
    free(v->v);
    v->v = NULL;
}
int main(void) {
    struct vec v = {0};
    for (int i = 0; i < 20; i++) push(&v, i);
    printf("%d %d\n", v.v[19], v.cap);
    drop(&v);
    clobber();
    return 0;
}
