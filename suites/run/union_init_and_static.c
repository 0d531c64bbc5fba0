// Initialising unions statically: first member, designators, nested.
#include <stdio.h>
static union { char c; long l; } a = {'x'};
static union { struct { short lo, hi; } s; int i; } b = {{1, 2}}, c = {.i = 0x30004};
static union { double d; const char *s; int (*f)(int); } t[3];
static int inc(int x) { return x + 1; }
static struct { int kind; union { double d; const char *s; int (*f)(int); } u; } tab[] = {{0, {1.5}}, {1, {.s = "str"}}, {2, {.f = inc}}};
int main(void) {
    printf("%ld %x %d %d\n", a.l, b.i, c.s.lo, c.s.hi);
    for (int i = 0; i < 3; i++) switch (tab[i].kind) {
        case 0: printf("%g\n", tab[i].u.d);
        break;
        case 1: puts(tab[i].u.s);
        break;
        case 2: printf("%d\n", tab[i].u.f(4));
    }
    printf("%d %d\n", t[0].s == 0, t[2].f == 0);
    t[1].s = "later";
    tab[0].u.s = t[1].s;
    tab[0].kind = 1;
    puts(tab[0].u.s);
    union { int a[2]; long l; } z = {{-1, 0}};
    printf("%ld\n", z.l);
    union { unsigned f : 3; unsigned all; } bf = {.all = 0xff};
    bf.f = 2;
    printf("%x\n", bf.all);
    return inc(b.s.hi);
}
