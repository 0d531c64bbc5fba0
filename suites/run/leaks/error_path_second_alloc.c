// leaks: 19 20
// When the second step fails, the first block is forgotten.
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

struct conn { char *buf, *name; };
__attribute__((noinline)) static struct conn *open_(int fail) {
    struct conn *c = malloc(sizeof *c);
    c->buf = malloc(64);
    if (fail)
        return NULL;
    c->name = malloc(8);
    c->name[0] = 'n';
    return c;
}
__attribute__((noinline)) static void close_(struct conn *c) {
    free(c->buf);
    free(c->name);
    free(c);
}
int main(void) {
    struct conn *c = open_(0);
    printf("%c\n", c->name[0]);
    close_(c);
    c = open_(1);
    printf("%d\n", c == NULL);
    clobber();
    return 0;
}
