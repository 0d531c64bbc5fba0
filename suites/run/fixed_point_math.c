// 16.16 fixed point: multiply, divide, square root, sine by a table-free polynomial.
#include <stdio.h>
#include <stdint.h>
typedef int32_t fx; 
#define F(x) ((fx)((x) * 65536.0 + ((x) < 0 ? -0.5 : 0.5)))
static fx mul(fx a, fx b) { return (fx)(((int64_t)a * b) >> 16); }
static fx dv(fx a, fx b) { return (fx)(((int64_t)a * 65536) / b); }
static fx sq(fx x) {
    uint64_t n = (uint64_t)x << 16, r = 0, b = 1ull << 46;
    while (b > n) b >>= 2;
    for (; b; b >>= 2) {
        if (n >= r + b) { n -= r + b; r = (r >> 1) + b; } else r >>= 1;
    }
    return (fx)r;
}
static void put(fx x) {
    if (x < 0) { putchar('-'); x = -x; }
    printf("%d.%04d ", x >> 16, (int)(((int64_t)(x & 0xffff) * 10000) >> 16));
}
static fx sine(fx x) {
    fx x2 = mul(x, x);
    return mul(x, F(1.0) - mul(x2, F(1.0 / 6) - mul(x2, F(1.0 / 120) - mul(x2, F(1.0 / 5040)))));
}
int main(void) {
    put(mul(F(1.5), F(-2.25)));
    put(dv(F(1), F(3)));
    put(dv(F(-7), F(2)));
    put(sq(F(2)));
    put(sq(F(100)));
    puts("");
    for (int i = 0; i <= 8; i++) put(sine(F(0.2) * i));
    puts("");
    fx acc = 0;
    for (int i = 1; i <= 50; i++) acc += dv(F(1), i << 16);
    put(acc);
    puts("");
    printf("%d %d\n", F(0.5), F(-0.5));
    return mul(F(6), F(7)) >> 16;
}
