// Packed bit-fields cross storage units.
#include <stdio.h>
#include <string.h>
struct __attribute__((packed)) p { unsigned a : 7; unsigned b : 13; unsigned long c : 41; unsigned d : 3; };
struct u { unsigned a : 7; unsigned b : 13; unsigned long c : 41; unsigned d : 3; };
struct __attribute__((packed)) q { char x; int y : 20; short z; unsigned w : 12; };
static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    while (n--) printf("%02x", *b++);
    puts("");
}
int main(void) {
    struct p p; struct u u; struct q q;
    memset(&p, 0, sizeof p); memset(&u, 0, sizeof u); memset(&q, 0, sizeof q);
    printf("%zu %zu %zu\n", sizeof p, sizeof u, sizeof q);
    p.a = u.a = 0x55; p.b = u.b = 0x1abc; p.c = u.c = 0x123456789abUL; p.d = u.d = 5;
    dump(&p, sizeof p); dump(&u, sizeof u);
    printf("%x %x %lx %x\n", p.a, p.b, (unsigned long)p.c, p.d);
    q.x = 'Q'; q.y = -12345; q.z = -2; q.w = 0xabc;
    dump(&q, sizeof q);
    printf("%c %d %d %x\n", q.x, q.y, q.z, q.w);
    q.y += 20000; p.c += 1; p.b ^= 0x1fff;
    printf("%d %lx %x %x\n", q.y, (unsigned long)p.c, p.b, p.a);
    return p.d;
}
