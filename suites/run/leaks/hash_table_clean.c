// leaks: none
// A chained table with a full destructor.
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

struct ent { char *k; struct ent *next; };
static struct ent *tab[4];
__attribute__((noinline)) static void add(const char *k) {
    unsigned h = k[0] % 4;
    struct ent *e = malloc(sizeof *e);
    e->k = strdup(k);
    e->next = tab[h];
    tab[h] = e;
}
__attribute__((noinline)) static int drop(void) {
    int n = 0;
    for (int i = 0; i < 4; i++)
        for (struct ent *e = tab[i], *t; e; e = t) {
            t = e->next;
            free(e->k);
            free(e);
            n++;
        }
    return n;
}
int main(void) {
    const char *ks[] = {"a", "b", "e", "zz"};
    for (int i = 0; i < 4; i++) add(ks[i]);
    printf("%d\n", drop());
    clobber();
    return 0;
}
