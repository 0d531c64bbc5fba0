// Wide bit-fields near 64 bits, _Bool fields, mixing with ordinary members.
#include <stdio.h>
struct w { unsigned long a : 63; unsigned long b : 1; long c : 50; _Bool d : 1; char e; unsigned long long f : 64; };
int main(void) {
    struct w x = {0};
    x.a = ~0ul; printf("%lx %lu\n", (unsigned long)x.a, (unsigned long)x.b);
    x.b = 3; printf("%lu %lx\n", (unsigned long)x.b, (unsigned long)x.a);
    x.c = -1;
    printf("%ld\n", (long)x.c);
    x.c = 1L << 49;
    printf("%ld\n", (long)x.c);
    x.c = (1L << 49) - 1;
    printf("%ld\n", (long)x.c);
    x.d = 2;
    x.e = 'e';
    x.f = 1ull << 63;
    printf("%d %c %llx %zu\n", x.d, x.e, (unsigned long long)x.f, sizeof x);
    x.a >>= 60; x.f /= 3; printf("%lx %llx\n", (unsigned long)x.a, (unsigned long long)x.f);
    x.a = x.a * 1000 + x.b; printf("%lu\n", (unsigned long)x.a);
    struct w y = x; y.b = 0; printf("%d\n", y.a == x.a && y.b != x.b);
    return (int)x.a & 0x7f;
}
