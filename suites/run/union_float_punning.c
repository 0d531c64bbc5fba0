// Reading the representation of floating values through a union.
#include <stdio.h>
#include <stdint.h>
union f { float f; uint32_t u; }; union d { double d; uint64_t u; struct { uint32_t lo, hi; } w; };
static float fast_half(float x) { union f v = {x}; v.u -= 1u << 23; return v.f; }
static int expo(double x) { union d v = {.d = x}; return (int)(v.u >> 52 & 0x7ff) - 1023; }
int main(void) {
    float fs[] = {0, 1, -1, 0.5f, 3.14159f, 1e30f, -0.0f};
    for (int i = 0; i < 7; i++) printf("%08x ", ((union f){fs[i]}).u);
    puts("");
    double ds[] = {1, -2, 0.1, 1e100}; union d v;
    for (int i = 0; i < 4; i++) {
        v.d = ds[i];
        printf("%016llx %08x %08x %d\n", (unsigned long long)v.u, v.w.hi, v.w.lo, expo(ds[i]));
    }
    printf("%g %g\n", fast_half(10), fast_half(1.5f));
    v.u = 0x400921fb54442d18ull; printf("%.10f\n", v.d);
    v.w.hi ^= 0x80000000u; printf("%.10f\n", v.d);
    union f n = {.u = 0x7fc00000}; printf("%d\n", n.f != n.f);
    return expo(1024.0);
}
