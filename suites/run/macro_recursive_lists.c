// Macros that build code: foreach over arguments, enumerations, generic max, token tricks.
#include <stdio.h>
#define FE1(m, x) m(x)
#define FE2(m, x, ...) m(x) FE1(m, __VA_ARGS__)
#define FE3(m, x, ...) m(x) FE2(m, __VA_ARGS__)
#define FE4(m, x, ...) m(x) FE3(m, __VA_ARGS__)
#define PICK(a, b, c, d, n, ...) n
#define FOREACH(m, ...) PICK(__VA_ARGS__, FE4, FE3, FE2, FE1)(m, __VA_ARGS__)
#define FIELD(n) int n;
#define SHOW(n) printf(#n "=%d ", s.n);
#define DEFINE_STACK(T, N) typedef struct { T v[N]; int n; } stack_##T; static void push_##T(stack_##T *s, T x) { s->v[s->n++] = x; } static T pop_##T(stack_##T *s) { return s->v[--s->n]; }
#define IF(c) IF_##c
#define IF_1(t, f) t
#define IF_0(t, f) f
#define DEFER(x) x
#define ARGS(...) (__VA_ARGS__)
#define APPLY(f, a) f a
#define ADD3(x, y, z) ((x) + (y) + (z))
struct s { FOREACH(FIELD, alpha, beta, gamma, delta) };
DEFINE_STACK(int, 8) DEFINE_STACK(double, 4) typedef const char *str;
DEFINE_STACK(str, 4)
int main(void) {
    struct s s = {1, 2, 3, 4};
    FOREACH(SHOW, alpha, delta) FOREACH(SHOW, beta) puts("");
    stack_int a = {0};
    push_int(&a, 5);
    push_int(&a, 6);
    int x = pop_int(&a) * 10;
    x += pop_int(&a);
    stack_double d = {0};
    push_double(&d, 2.5);
    stack_str q = {0};
    push_str(&q, "str");
    printf("%d %g %s\n", x, pop_double(&d), pop_str(&q));
    printf("%d %d\n", IF(1)(10, 20), IF(0)(10, 20));
    printf("%d\n", APPLY(ADD3, ARGS(1, 2, 3)));
    return IF(1)(x, 0);
}
