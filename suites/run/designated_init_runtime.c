// Initialisers computed at run time, with calls in designated elements (one call each).
#include <stdio.h>
static int n; static int next(void) { return ++n; }
static int twice(int x) { return 2 * x; }
struct s { int a, b, c; int v[3]; };
int main(void) {
    int k = 3;
    struct s x = {.c = twice(k), .a = k, .v = {[1] = twice(k + 1)}};
    printf("%d %d %d %d %d %d\n", x.a, x.b, x.c, x.v[0], x.v[1], x.v[2]);
    for (int i = 0; i < 3; i++) {
        struct s y = {.v[0] = next(), .b = i};
        printf("%d %d %d\n", y.v[0], y.b, y.a);
    }
    int arr[] = {[2] = k, [0] = k * k}; printf("%d %d %d\n", arr[0], arr[1], arr[2]);
    struct s w[2] = {x, {.b = x.c}}; printf("%d %d %d\n", w[0].c, w[1].b, w[1].v[1]);
    for (int i = 0; i < 2; i++) { int z[4] = {i}; z[i + 1]++; printf("%d%d%d%d\n", z[0], z[1], z[2], z[3]); }
    char str[6] = "hi"; printf("%d %d\n", str[2], str[5]);
    return n;
}
