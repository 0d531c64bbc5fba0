// leaks: 20
// A ring buffer overwrites its oldest entry without freeing it.
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

static char *ring[3];
static unsigned w;
__attribute__((noinline)) static void put(int c) {
    char *p = malloc(8);
    p[0] = c;
    ring[w++ % 3] = p;
}
__attribute__((noinline)) static void drain(void) {
    for (int i = 0; i < 3; i++) {
        free(ring[i]);
        ring[i] = NULL;
    }
}
int main(void) {
    for (int i = 0; i < 5; i++) put('a' + i);
    printf("%c\n", ring[0][0]);
    drain();
    clobber();
    return 0;
}
