// leaks: none
// Reachable from a global when the program ends.
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

static int *cache;
static struct { int n; int *v; } table;
__attribute__((noinline)) static void fill(void) {
    cache = malloc(40);
    table.v = calloc(3, sizeof *table.v);
    table.n = 3;
    cache[0] = 1;
}
int main(void) {
    fill();
    clobber();
    printf("%d %d\n", cache[0], table.v[2]);
    return 0;
}
