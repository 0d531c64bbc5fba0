// Stepping, subtracting and comparing pointers of several types.
#include <stdio.h>
#include <stddef.h>
struct r { char c; int i; short s; };
int main(void) {
    int a[10]; for (int i = 0; i < 10; i++) a[i] = i * 11; int *p = a, *e = a + 10;
    printf("%d %d %d %d\n", *(p + 3), 4[p], p[9], *(e - 1));
    printf("%td %td %d %d\n", e - p, &a[2] - &a[7], p < e, &a[5] >= &a[6]);
    for (int *q = e; q-- > p;) printf("%d ", *q); puts("");
    char *c = (char *)a; printf("%td %d\n", (char *)&a[3] - c, *(int *)(c + 8));
    struct r rs[4] = {{'a', 1, 2}, {'b', 3, 4}, {'c', 5, 6}, {'d', 7, 8}};
    struct r *s = rs + 1;
    s += 2;
    printf("%c %td %td\n", s->c, s - rs, (char *)s - (char *)rs);
    s -= 1; printf("%d %d %d\n", s[-1].i, s[1].s, (*s).i);
    long idx = -2; unsigned char u = 3; p = a + 5; printf("%d %d %d\n", p[idx], *(p + u), *(p - u));
    int *n = 0; printf("%d %d\n", n == NULL, !n);
    void *v = a; v += 4; printf("%d\n", *(int *)v);
    double d[3] = {1, 2, 3}; double *dp = d; double x = *dp++ * 2; x += *dp; printf("%g %td\n", x, dp - d);
    ptrdiff_t diff = &a[9] - &a[0]; return (int)diff;
}
