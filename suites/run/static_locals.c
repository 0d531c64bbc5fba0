// Static locals keep their value and are initialised once.
#include <stdio.h>
static int counter(void) { static int n = 5; return n++; }
static int *slot(int i) { static int a[4] = {1, [3] = 9}; return &a[i]; }
static int rec(int d) {
    static int depth, max;
    depth++;
    if (depth > max) max = depth;
    if (d) rec(d - 1);
    depth--;
    return max;
}
static const char *ring(int v) {
    static char b[3][8];
    static unsigned k;
    char *p = b[k++ % 3];
    snprintf(p, 8, "<%d>", v);
    return p;
}
static int two(void) {
    int r = 0;
    { static int x = 1; r += x *= 2; }
    { static int x = 100; r += x++; }
    return r;
}
static unsigned lcg(void) { static unsigned s = 1; return s = s * 1664525u + 1013904223u; }
static inline int blk(int i) { if (i) { static int z; return ++z; } else { static int z = 50; return --z; } }
int main(void) {
    counter(); counter(); printf("%d\n", counter());
    *slot(0) += 10; printf("%d %d %d\n", *slot(0), *slot(1), *slot(3));
    printf("%d ", rec(3)); printf("%d ", rec(1)); printf("%d\n", rec(7));
    const char *a = ring(1), *b = ring(2), *c = ring(3); printf("%s%s%s\n", a, b, c);
    int t = two(); t = t * 1000 + two(); printf("%d\n", t);
    lcg(); lcg(); printf("%u\n", lcg());
    blk(1); blk(0); int p = blk(1), q = blk(0); printf("%d %d\n", p, q);
    for (int i = 0; i < 3; i++) { static int s = 10; s += i; printf("%d ", s); } puts("");
    return counter();
}
