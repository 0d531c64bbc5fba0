// 128-bit integers as arguments, results, members and array elements.
#include <stdio.h>
typedef unsigned __int128 u128;
struct pair { char tag; u128 v; };
static u128 gcd(u128 a, u128 b) { while (b) { u128 t = a % b; a = b; b = t; } return a; }
static u128 mulmod(u128 a, u128 b, unsigned long m) { return a * b % m; }
static unsigned long powmod(unsigned long b, unsigned long e, unsigned long m) {
    u128 r = 1, x = b % m;
    for (; e; e >>= 1) { if (e & 1) r = mulmod(r, x, m); x = mulmod(x, x, m); }
    return (unsigned long)r;
}
static void hex(u128 v) { printf("%016llx%016llx\n", (unsigned long long)(v >> 64), (unsigned long long)v); }
int main(void) {
    struct pair p[3] = {{'a', 1}, {'b', (u128)1 << 64}, {'c', 0}};
    p[2].v = p[0].v - p[1].v;
    for (int i = 0; i < 3; i++) { printf("%c ", p[i].tag); hex(p[i].v); }
    printf("%zu %zu\n", sizeof(struct pair), _Alignof(struct pair));
    hex(gcd((u128)600851475143ull * 1000000007ull * 97, (u128)1000000007ull * 12345));
    printf("%lu\n", powmod(3, 1000000006ul, 1000000007ul));
    printf("%lu\n", powmod(7, 123456789012345ul, 18446744073709551557ul));
    u128 x = 5; x++; x <<= 120; x |= 1; x ^= (u128)0xff << 60; hex(x); hex(~x); hex(-x);
    int bits = 0; for (u128 y = x; y; y &= y - 1) bits++;
    return bits;
}
