// leaks: none
// A chain that starts in a global and runs through three heap blocks.
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

struct a { int n; struct b *b; };
struct b { char pad[24]; char *s; };
static struct a *root;
__attribute__((noinline)) static void build(void) {
    root = malloc(sizeof *root);
    root->b = malloc(sizeof *root->b);
    root->b->s = malloc(6);
    root->b->s[0] = 'r';
}
int main(void) {
    build();
    clobber();
    printf("%c\n", root->b->s[0]);
    return 0;
}
