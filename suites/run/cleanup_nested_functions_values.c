// Cleanup interacts with return values, nested calls, early returns and loops of scopes.
#include <stdio.h>
static int depth, max;
static void leave(int *p) {
    depth--;
    if (*p != depth) printf("mismatch %d %d\n", *p, depth);
}
#define SCOPE int scope_ __attribute__((cleanup(leave))) = depth++; if (depth > max) max = depth
static int f(int n) {
    SCOPE;
    if (n == 0) return depth;
    if (n % 3 == 0) { SCOPE; return f(n - 1) + 1; }
    for (int i = 0; i < 2; i++) { SCOPE; if (i) return f(n - 1); }
    return -1;
}
static void inc(int *p) { ++*p; }
static int retval(void) { int x __attribute__((cleanup(inc))) = 5; return x; }
static int g;
static void setg(int **p) { g = **p; }
static int glob(void) {
    int v = 1;
    int *p __attribute__((cleanup(setg))) = &v;
    v = 2;
    return g = 77;
}
int main(void) {
    printf("%d\n", f(7));
    printf("%d %d\n", depth, max);
    printf("%d\n", retval());
    int r = glob();
    printf("%d %d\n", r, g);
    int k = 0;
    {
        int a __attribute__((cleanup(inc))) = 0;
        a += 5;
        k = a;
    }
    printf("%d\n", k);
    return max;
}
