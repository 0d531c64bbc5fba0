// Layout: zero-width fields, mixed base types, unnamed padding.
#include <stdio.h>
#include <string.h>
#include <stddef.h>
struct a { unsigned x : 4; unsigned : 0; unsigned y : 4; };
struct b { char c; int x : 8; int y : 20; int z : 8; };
struct c { unsigned char x : 5, y : 5, z : 5; };
struct d { unsigned x : 3; unsigned : 5; unsigned y : 8; short s; };
struct e { long long x : 33; int y : 31; char z; };
struct f { int x : 31; int y : 2; };
static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    while (n--) printf("%02x", *b++);
    puts("");
}
int main(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct b), sizeof(struct c), sizeof(struct d), sizeof(struct e), sizeof(struct f));
    printf("%zu %zu\n", offsetof(struct d, s), offsetof(struct e, z));
    struct a a; memset(&a, 0, sizeof a); a.x = 0xf; a.y = 0xa; dump(&a, sizeof a);
    struct b b; memset(&b, 0, sizeof b); b.c = 1; b.x = 0x22; b.y = 0x33333; b.z = 0x44; dump(&b, sizeof b);
    struct c c; memset(&c, 0, sizeof c); c.x = 31; c.y = 21; c.z = 10; dump(&c, sizeof c);
    struct d d; memset(&d, 0, sizeof d); d.x = 7; d.y = 0xee; d.s = -1; dump(&d, sizeof d);
    struct e e; memset(&e, 0, sizeof e); e.x = -1; e.y = 0x1234567; e.z = 'z'; dump(&e, sizeof e);
    struct f f; memset(&f, 0, sizeof f); f.x = -1; f.y = 1; dump(&f, sizeof f);
    printf("%d %d\n", f.x, f.y);
    return sizeof(struct b);
}
