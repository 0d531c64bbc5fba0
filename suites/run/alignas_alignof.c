// Alignment specifiers; addresses are checked, never printed.
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <stdalign.h>
#define OK(p, a) ((uintptr_t)(p) % (a) == 0)
static alignas(64) char g[3];
static _Alignas(double) char raw[sizeof(double)];
struct s { char c; alignas(32) int v; char t; };
struct __attribute__((aligned)) m { char c; };
typedef int aint __attribute__((aligned(16)));
int main(void) {
    _Alignas(128) char l[5];
    alignas(16) int i = 3;
    aint ai = 4;
    struct s a[2];
    printf("%d %d %d %d %d %d\n", OK(g, 64), OK(l, 128), OK(&i, 16), OK(&ai, 16), OK(&a[1].v, 32), OK(raw, 8));
    printf("%zu %zu %zu %zu\n", sizeof(struct s), _Alignof(struct s), offsetof(struct s, t), alignof(struct m));
    printf("%zu %zu %zu %zu %zu %zu\n", _Alignof(char), _Alignof(short), _Alignof(int), _Alignof(long), _Alignof(long double), _Alignof(void *));
    printf("%zu %zu %zu\n", _Alignof(int[7]), __alignof__(i), alignof(max_align_t));
    struct { char a; aint b; } z;
    printf("%zu\n", sizeof z);
    *(double *)raw = 2.5;
    printf("%g\n", *(double *)raw);
    for (int k = 0; k < 3; k++) {
        alignas(32) char b[k + 1 > 0 ? 4 : 4];
        b[0] = k;
        if (!OK(b, 32)) return 1;
    }
    return i + ai;
}
