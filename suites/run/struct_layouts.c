// Sizes and offsets by the System V ABI.
#include <stdio.h>
#include <stddef.h>
struct a { char c; int i; char d; };
struct b { char c; double d; short s; };
struct c { short s[3]; long l; char t; };
struct d { struct a a; char z; struct b b; };
struct e { char c[5]; };
struct f { void *p; char c; void *q; int n; };
struct __attribute__((packed)) g { char c; int i; long l; short s; }; struct h { char c; struct g g; int n; };
struct __attribute__((aligned(32))) i { int x; }; struct j { char c; struct i i; char d; };
struct k { char c; _Alignas(16) char d; int e __attribute__((aligned(8))); };
union u { char c[9]; int i; double d; }; struct l { char c; union u u; };
#pragma pack(push, 2)
struct m { char c; int i; char d; long l; };
#pragma pack(pop)
#define O(s, f) printf(#s "." #f " %zu\n", offsetof(struct s, f))
#define S(s) printf(#s " %zu %zu\n", sizeof(struct s), _Alignof(struct s))
int main(void) {
    S(a); S(b); S(c); S(d); S(e); S(f); S(g); S(h); S(i); S(j); S(k); S(l); S(m);
    O(a, i); O(a, d); O(b, d); O(b, s); O(c, l); O(c, t); O(d, z); O(d, b); O(f, q); O(g, i); O(g, s);
    O(h, g); O(h, n); O(j, i); O(j, d); O(k, d); O(k, e); O(l, u); O(m, i); O(m, l); O(d, b.d); O(c, s[2]);
    return sizeof(union u);
}
