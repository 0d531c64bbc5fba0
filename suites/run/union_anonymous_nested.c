// Anonymous structs and unions, several levels deep.
#include <stdio.h>
#include <stddef.h>
struct reg { int id; union { unsigned word; struct { unsigned short lo, hi; }; struct { unsigned char b0, b1, b2, b3; }; }; struct { int x; union { int y; float yf; }; }; };
struct vec { union { struct { float x, y, z; }; float v[3]; }; };
int main(void) {
    struct reg r = {1, {0x11223344}, {5, {6}}};
    printf("%x %x %x %x %x %x\n", r.lo, r.hi, r.b0, r.b1, r.b2, r.b3);
    r.b1 = 0xff; r.hi = 0xabcd; printf("%x\n", r.word);
    printf("%d %d\n", r.x, r.y);
    r.yf = 1.0f; printf("%x\n", r.y);
    struct vec v = {.x = 1, .y = 2, .z = 3}; float s = 0; for (int i = 0; i < 3; i++) s += v.v[i] * (i + 1);
    printf("%g\n", s); v.v[1] = 20; printf("%g\n", v.y);
    struct reg q = {.id = 2, .lo = 1, .hi = 2, .x = 3, .y = 4};
    printf("%d %x %d %d\n", q.id, q.word, q.x, q.y);
    printf("%zu %zu %zu %zu\n", offsetof(struct reg, b2), offsetof(struct reg, x), offsetof(struct reg, yf), sizeof(struct reg));
    return r.id + q.id;
}
