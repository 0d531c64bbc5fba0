// alloca memory lives until the function returns, also across loop iterations.
#include <stdio.h>
#include <string.h>
#include <alloca.h>
struct node { int v; struct node *next; };
static int list(int n) {
    struct node *h = 0;
    for (int i = 0; i < n; i++) {
        struct node *x = alloca(sizeof *x);
        x->v = i;
        x->next = h;
        h = x;
    }
    int s = 0, k = 1;
    for (; h; h = h->next) s += h->v * k++;
    return s;
}
static void join(const char *a, const char *b) {
    char *p = __builtin_alloca(strlen(a) + strlen(b) + 1);
    strcpy(p, a);
    strcat(p, b);
    puts(p);
}
static int deep(int d) {
    char *p = alloca(d + 1);
    memset(p, 'a' + d, d);
    p[d] = 0;
    int r = d ? deep(d - 1) : 0;
    return r + (int)strlen(p) * (d ? p[d - 1] - 'a' : 1);
}
int main(void) {
    printf("%d %d\n", list(10), list(100));
    join("al", "loca"); join("", "x");
    printf("%d\n", deep(12));
    int *a = alloca(4 * sizeof *a);
    for (int i = 0; i < 4; i++) a[i] = i + 1;
    int t = 0;
    for (int i = 0; i < 1000; i++) t += list(5) + a[i % 4];
    printf("%d\n", t);
    return t & 63;
}
