// GNU vector types: element-wise operators, comparison masks, shuffles, subscripts.
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));
static int sum(v4 v) { return v[0] + v[1] + v[2] + v[3]; }
int main(void) {
    v4 a = {1, -2, 3, -4}, b = {5, 6, 7, 8}; v4 c = a * b, d = a < b, e = (a & b) | 1, f = -a;
    printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
    printf("%d %d\n", sum(d), sum(e));
    printf("%d\n", sum(f));
    v4 h = a > 0;
    printf("%d %d\n", h[0], h[1]);
    f4 x = {1.5f, 2.5f, -3.5f, 0}, y = x * 2 + 1; printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    b8 u = {250, 251, 252, 253, 254, 255, 0, 1};
    u += 5;
    for (int i = 0; i < 8; i++) printf("%d ", u[i]);
    puts("");
    v4 s = __builtin_shuffle(a, (v4){3, 2, 1, 0});
    printf("%d %d %d %d\n", s[0], s[1], s[2], s[3]);
    a[2] = 100;
    a[3] += 4;
    printf("%d %zu\n", sum(a), sizeof a);
    return sum(b);
}
