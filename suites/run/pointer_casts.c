// Bytes of objects through char pointers, integers holding pointers, void pointers.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
struct s { int a; char b[4]; };
static void fill(void *p, size_t n, int v) { unsigned char *c = p; while (n--) *c++ = v++; }
int main(void) {
    struct s x; fill(&x, sizeof x, 1); printf("%x %d %d\n", x.a, x.b[0], x.b[3]);
    uintptr_t u = (uintptr_t)&x; struct s *p = (struct s *)u; p->a = 42; printf("%d\n", x.a);
    uintptr_t v = (uintptr_t)&x.b[2]; printf("%d %lu\n", *(char *)v, (unsigned long)(v - u));
    uintptr_t tagged = u | 1;
    printf("%lu %d\n", (unsigned long)(tagged & 1), ((struct s *)(tagged & ~(uintptr_t)1))->a);
    int n = 0x01020304; char *c = (char *)&n; printf("%d %d\n", c[0], c[3]);
    const char *k = "const"; char *nk = (char *)k; printf("%c\n", nk[0]);
    void *vp = &n; int *ip = vp; *ip += 1; printf("%x\n", n);
    long l; memcpy(&l, "abcdefgh", 8); printf("%lx\n", l);
    int *q = (int *)(void *)&x; printf("%d\n", *q == x.a);
    struct s *first = (struct s *)&x.a; printf("%d\n", first->b[1]);
    printf("%d %d\n", (int)(intptr_t)(void *)0, (int)(intptr_t)(void *)1234);
    return (int)(tagged - u);
}
