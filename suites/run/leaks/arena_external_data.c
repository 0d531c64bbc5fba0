// leaks: 22
// Objects in an arena own heap data that dies with the arena.
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

struct item { char *name; };
static struct item *items;
__attribute__((noinline)) static void fill(int n) {
    items = malloc(n * sizeof *items);
    for (int i = 0; i < n; i++) {
        items[i].name = malloc(4);
        items[i].name[0] = 'a' + i;
    }
}
__attribute__((noinline)) static void drop(void) {
    free(items);
    items = NULL;
}
int main(void) {
    fill(3);
    printf("%c\n", items[2].name[0]);
    drop();
    clobber();
    return 0;
}
