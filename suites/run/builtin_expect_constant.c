// expect, constant_p, types_compatible_p, choose_expr, assume_aligned.
#include <stdio.h>
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect((x), 0)
#define SAME(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define PICK(x) __builtin_choose_expr(__builtin_types_compatible_p(typeof(x), double), 1.5, "not double")
static int cls(int x) { if (unlikely(x < 0)) return -1; if (likely(x > 100)) return 1; return 0; }
int main(void) {
    printf("%d %d %d\n", cls(-5), cls(50), cls(500));
    int i = 1;
    unsigned u = 1;
    const int ci = 2;
    long l = 0;
    double d = 0;
    char *p = 0;
    printf("%d %d %d %d %d %d\n", SAME(i, u), SAME(i, ci), SAME(l, 1L), SAME(p, "a" + 0), SAME(int[3], int[]), SAME(d, 1.0f));
    printf("%.1f %s\n", PICK(d), PICK(i));
    printf("%d %d\n", __builtin_constant_p(3 + 4), __builtin_constant_p("lit"));
    volatile int v = 3;
    printf("%d\n", __builtin_constant_p(v));
    static int arr[__builtin_choose_expr(1, 4, 8)];
    printf("%zu\n", sizeof arr);
    printf("%ld\n", __builtin_expect(i + 5, 6));
    int y = __builtin_choose_expr(0, undefined_call(), 5) ;
    printf("%d\n", y);
    int *q = __builtin_assume_aligned(&i, 4);
    printf("%d\n", *q);
    int s = 0;
    for (int k = 0; k < 10; k++) {
        if (__builtin_expect_with_probability(k % 5 == 0, 0, 0.8)) s += k;
    }
    return s;
}
int undefined_call() { return 1; }
