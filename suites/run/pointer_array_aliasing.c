// Several pointers into one object see each other's writes.
#include <stdio.h>
static void both(int *a, int *b) {
    *a = 1;
    *b = 2;
    *a += 10;
}
static int swap_bad(int *a, int *b) {
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
    return *a;
}
static void shift(char *d, const char *s) { while ((*d++ = *s++)) ; }
struct p { int x, y; };
static void rot(struct p *o, const struct p *i) {
    int t = i->x;
    o->x = -i->y;
    o->y = t;
}
int main(void) {
    int x = 5, y = 6;
    both(&x, &y);
    printf("%d %d\n", x, y);
    both(&x, &x);
    printf("%d\n", x);
    int z = 7;
    printf("%d\n", swap_bad(&z, &z));
    char s[] = "abcdef";
    shift(s, s + 2);
    puts(s);
    struct p p = {3, 4};
    rot(&p, &p);
    printf("%d %d\n", p.x, p.y);
    int a[5] = {1, 1};
    int *p0 = a, *p1 = a + 1, *p2 = a + 2;
    while (p2 < a + 5) *p2++ = *p0++ + *p1++;
    for (int i = 0; i < 5; i++) printf("%d ", a[i]);
    puts("");
    unsigned u = 0x11223344;
    unsigned char *b = (unsigned char *)&u;
    unsigned char t = b[0];
    b[0] = b[3];
    b[3] = t;
    printf("%x\n", u);
    int *q = &x;
    int **qq = &q;
    *qq = &y;
    *q = 42;
    return y;
}
