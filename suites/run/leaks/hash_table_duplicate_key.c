// leaks: 22
// Inserting an existing key leaks the new key's copy.
#include <stdio.h>
#include <string.h>
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

struct ent { char *k; int v; };
static struct ent tab[8];
static int n;
__attribute__((noinline)) static void put(const char *k, int v) {
    char *copy = strdup(k);
    for (int i = 0; i < n; i++)
        if (!strcmp(tab[i].k, copy)) {
            tab[i].v = v;
            return;
        }
    tab[n].k = copy;
    tab[n++].v = v;
}
int main(void) {
    put("x", 1);
    put("y", 2);
    put("x", 3);
    printf("%d %d\n", n, tab[0].v);
    clobber();
    return 0;
}
