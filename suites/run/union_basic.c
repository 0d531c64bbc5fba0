// The members of a union share storage.
#include <stdio.h>
union v { int i; unsigned char b[8]; short s[4]; long l; };
int main(void) {
    union v x = {.l = 0};
    x.i = 0x01020304; printf("%d %d %d %d %x %lx\n", x.b[0], x.b[1], x.b[2], x.b[3], x.s[0], x.l);
    x.l = -1; x.b[0] = 0; printf("%d %lx\n", x.i, x.l);
    x.s[3] = 0x7fff; printf("%lx\n", x.l);
    union v y = x; y.s[0] = 1; printf("%lx %lx\n", x.l, y.l);
    union v arr[2] = {{1}, {.b = {1, 2, 3, 4, 5, 6, 7, 8}}}; printf("%d %lx\n", arr[0].i, arr[1].l);
    union v *p = &arr[1]; p->b[7] = 0; printf("%lx %zu\n", p->l, sizeof *p);
    union { struct { int a, b; } s; long l; } z = {{1, 2}}; printf("%lx\n", z.l);
    z.l = 0x500000006L; printf("%d %d\n", z.s.a, z.s.b);
    return x.b[1] & 7;
}
