// aligned_alloc, posix_memalign, memalign; alignment of malloc.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <malloc.h>
int main(void) {
    int ok = 1;
    for (size_t a = 16; a <= 256; a *= 2) {
        char *p = aligned_alloc(a, a * 2);
        ok &= (uintptr_t)p % a == 0;
        memset(p, 1, a * 2);
        free(p);
        void *q = NULL;
        int r = posix_memalign(&q, a, 100);
        ok &= r == 0 && (uintptr_t)q % a == 0;
        memset(q, 2, 100);
        free(q);
    }
    printf("%d\n", ok);
    void *bad = (void *)1;
    printf("%d\n", posix_memalign(&bad, 3, 10) != 0);
    char *m = memalign(64, 10);
    printf("%d\n", (int)((uintptr_t)m % 64));
    free(m);
    int al = 0;
    void *ps[20];
    for (int i = 0; i < 20; i++) {
        ps[i] = malloc(i * 7 + 1);
        al |= (uintptr_t)ps[i] % 16;
    }
    for (int i = 0; i < 20; i++) free(ps[i]);
    printf("%d\n", al);
    long double *ld = malloc(3 * sizeof *ld);
    ld[2] = 1.5L;
    printf("%Lg\n", ld[2]);
    free(ld);
    return ok;
}
