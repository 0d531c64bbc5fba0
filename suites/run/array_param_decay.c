// Array parameters are pointers; static and qualifiers inside the brackets.
#include <stdio.h>
static int a(int x[10]) { return sizeof x == sizeof(int *); }
static int b(int x[static 3]) { return x[2]; }
static int c(int n, const int x[const]) { int s = 0; while (n) s += x[--n]; return s; }
static void d(char s[]) { *s++ = 'X'; s[0] = 'Y'; }
static int e(int (*x)[3]) { return sizeof *x / sizeof **x; }
static int f(int x[][3], int r) { return x[r][2] + (*x)[0]; }
static int g(int (*fn)(int), int v) { return fn(v); }
static int h(int fn(int), int v) { return fn(v) + (*fn)(v) + (&*fn)(v) + (****fn)(v); }
static int neg(int x) { return -x; }
int main(void) {
    int v[10] = {1, 2, 3, 4}; int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; char s[] = "abc";
    printf("%d %d %d\n", a(v), b(v), c(4, v));
    d(s); puts(s);
    printf("%d %d %d\n", e(m), f(m, 1), e(&m[1]));
    printf("%d %d\n", g(neg, 5), h(neg, 5));
    printf("%d\n", c(3, v + 1)); printf("%d\n", c(2, &v[2]));
    return c(10, v);
}
