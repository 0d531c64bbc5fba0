// leaks: 18
// The test before the free asks for the wrong thing.
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

__attribute__((noinline)) static int run(int n) {
    char small[8], *p = n > 8 ? malloc(n) : small;
    p[0] = 'q';
    int r = p[0];
    if (n > 16) free(p);
    return r;
}
int main(void) {
    printf("%d %d %d\n", run(4), run(12), run(32));
    clobber();
    return 0;
}
