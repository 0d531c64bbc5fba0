// Unions passed and returned by value, addresses of different members.
#include <stdio.h>
union num { int i; float f; double d; char c[16]; };
static union num inc(union num n) { n.i++; return n; }
static union num from(double d) { union num n; n.d = d; return n; }
static void poke(int *p, int v) { *p = v; }
int main(void) {
    union num a = {41}; a = inc(a); printf("%d\n", a.i);
    printf("%g\n", from(2.75).d);
    poke(&a.i, 7); printf("%d\n", a.i);
    char *p = a.c; for (int i = 0; i < 16; i++) p[i] = "abcdefghijklmno"[i];
    printf("%s %x\n", a.c, a.i);
    union num *q = &a, b; b = *q; q->c[0] = 'Z'; printf("%s %s\n", a.c, b.c);
    printf("%d %d\n", (void *)&a.i == (void *)&a.d, (char *)&a == a.c);
    static union num s; printf("%d %g\n", s.i, s.d);
    static union num t = {.f = 1.5f}; printf("%x %g\n", t.i, t.f);
    return sizeof a;
}
