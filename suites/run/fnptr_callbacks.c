// Callbacks with a context pointer; map, filter, fold.
#include <stdio.h>
typedef int (*map_fn)(int, void *); typedef void visit_fn(int, void *);
static void each(const int *a, int n, visit_fn *f, void *ctx) { for (int i = 0; i < n; i++) f(a[i], ctx); }
static void map(int *a, int n, map_fn f, void *ctx) { for (int i = 0; i < n; i++) a[i] = f(a[i], ctx); }
static int filter(int *a, int n, map_fn f, void *ctx) {
    int k = 0;
    for (int i = 0; i < n; i++) if (f(a[i], ctx)) a[k++] = a[i];
    return k;
}
struct stat { int n, sum, max; };
static void collect(int x, void *c) { struct stat *s = c; s->n++; s->sum += x; if (x > s->max) s->max = x; }
static int addk(int x, void *k) { return x + *(int *)k; }
static int odd(int x, void *c) { ++*(int *)c; return x & 1; }
static void print(int x, void *c) { printf("%s%d", *(const char **)c, x); *(const char **)c = ","; }
int main(void) {
    int a[] = {4, 8, 15, 16, 23, 42}, n = 6, k = 3, calls = 0; struct stat s = {0};
    each(a, n, collect, &s); printf("%d %d %d\n", s.n, s.sum, s.max);
    map(a, n, addk, &k); const char *sep = ""; each(a, n, print, &sep); puts("");
    n = filter(a, n, odd, &calls); sep = "<"; each(a, n, print, &sep); printf(" %d\n", calls);
    visit_fn *v[2] = {collect, collect}; v[1](1000, &s); printf("%d\n", s.max);
    return n;
}
