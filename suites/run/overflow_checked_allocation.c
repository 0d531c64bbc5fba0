// Size computations guarded by builtins; failure reported, not attempted.
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static void *alloc(size_t n, size_t size, size_t extra) {
    size_t t;
    if (__builtin_mul_overflow(n, size, &t) || __builtin_add_overflow(t, extra, &t)) return NULL;
    if (t > 1 << 20) return NULL;
    return calloc(1, t);
}
int main(void) {
    int *a = alloc(10, sizeof *a, 8);
    a[9] = 7;
    printf("%d\n", a[9]);
    printf("%d %d %d\n", alloc(SIZE_MAX / 2, 4, 0) == NULL, alloc(1, SIZE_MAX, 1) == NULL, alloc(1 << 20, 2, 0) == NULL);
    int sat = 0;
    for (int i = 1; i < 40; i++) {
        int r;
        if (__builtin_add_overflow(sat, 1 << (i % 31), &r)) {
            sat = 2147483647;
            printf("saturated at %d\n", i);
            break;
        }
        sat = r;
    }
    printf("%d\n", sat);
    int r = a[9];
    free(a);
    return r;
}
