// #if arithmetic, defined, #elif chains, #undef, redefinition, function-like names without calls.
#include <stdio.h>
#define A 5
#define B (A * 2)
#if A + 5 == B && !defined(NOPE) && (1 ? 2 : 0) == 2
#define R1 1
#else
#define R1 0
#endif
#if 0xffffffffffffffff == -1
#define R2 "unsigned compare"
#elif A
#define R2 "elif"
#endif
#ifdef NOPE
#error no
#elif UNKNOWN_NAME
#error no
#elif -1 > 0u
#define R3 7
#endif
#define ID(x) x
#undef A
#define A 6
#if defined A && defined(B) && 'a' == 97 && (2 || 1 / 0)
#define R4 44
#endif
#define f(x) (x + 1)
static int (f)(int x) { return x * 100; }
#line 500 "renamed.c"
static int line = __LINE__; static const char *file = __FILE__;
int main(void) {
    int (*p)(int) = f;
    printf("%d %s %d %d\n", R1, R2, R3, R4);
    printf("%d %d\n", B, ID(A));
    printf("%d %d %d\n", f(1), (f)(1), p(2));
    printf("%d %s\n", line, file);
    int ID(v) = ID(ID(3));
    printf("%d\n", v);
    return R4;
}
