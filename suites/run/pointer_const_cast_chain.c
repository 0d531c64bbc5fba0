// Qualifier-changing casts and pointer conversions that keep the address.
#include <stdio.h>
#include <string.h>
static char *my_strchr(const char *s, int c) {
    for (;; s++) { if (*s == (char)c) return (char *)s; if (!*s) return 0; }
}
static void *advance(const void *p, size_t n) { return (void *)((const char *)p + n); }
struct a { int x; };
struct b { struct a base; int y; };
int main(void) {
    char s[] = "find me";
    *my_strchr(s, 'm') = 'M';
    puts(s);
    int v[4] = {1, 2, 3, 4};
    const void *cv = v;
    int *p = advance(cv, 2 * sizeof *v);
    *p = 30;
    printf("%d\n", v[2]);
    volatile int *vp = v;
    *vp += 9;
    printf("%d\n", *(int *)vp);
    struct b b = {{5}, 6};
    struct a *pa = &b.base;
    struct b *pb = (struct b *)pa;
    pb->y++;
    printf("%d %d\n", pa->x, b.y);
    const int *const *pp = (const int *const *)&(int *){v + 1};
    printf("%d\n", **pp);
    unsigned char *bytes = (unsigned char *)&v[1];
    printf("%d\n", bytes[0]);
    char (*pc)[8] = &s;
    printf("%c %zu\n", (*pc)[5], sizeof *pc);
    long addr_diff = (char *)&v[3] - (char *)&v[0];
    return addr_diff;
}
