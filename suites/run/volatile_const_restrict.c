// Qualifiers do not change results; volatile accesses happen.
#include <stdio.h>
static volatile int v;
static const int tab[] = {1, 2, 3};
static const volatile int cv = 8;
struct dev { volatile unsigned reg; const char *const name; };
static void add(int n, int *restrict out, const int *restrict a, const int *restrict b) {
    for (int i = 0; i < n; i++) out[i] = a[i] + b[i];
}
static int rd(const volatile int *p) { return *p; }
static const int *pick(const int *p, int i) { return p + i; }
static char *const cp(char *const p) { *p = 'C'; return p; }
int main(void) {
    v = 3;
    v++;
    v += v;
    int a = v;
    a += v;
    printf("%d %d\n", a, v);
    int x[3] = {10, 20, 30}, y[3];
    add(3, y, x, tab);
    printf("%d %d %d\n", y[0], y[1], y[2]);
    printf("%d %d\n", rd(&cv), rd(&v));
    const int *p = pick(tab, 2);
    printf("%d\n", *p);
    struct dev d = {5, "dev"};
    d.reg |= 8;
    d.reg <<= 1;
    printf("%u %s\n", d.reg, d.name);
    char b[] = "abc";
    puts(cp(b));
    volatile char vb[4] = "xy";
    vb[2] = 'z';
    int s = 0;
    for (int i = 0; i < 4; i++) s += vb[i];
    printf("%d\n", s);
    int *volatile vp = x;
    vp++;
    printf("%d\n", *vp);
    volatile struct { int q, r; } vs = {1, 2};
    vs.q += vs.r;
    printf("%d\n", vs.q);
    for (volatile int i = 0; i < 5; i++) s += i;
    return s & 0x7f;
}
