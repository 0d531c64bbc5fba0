// The four operations on every integer width, with the usual promotions.
#include <stdio.h>
static void chars(signed char a, signed char b) {
    signed char s = a + b, d = a - b;
    printf("schar %d %d %d %d %d\n", s, d, a * b, a / b, a % b);
}
static void shorts(short a, short b) {
    printf("short %d %d %d %d %d\n", (short)(a + b), (short)(a - b), a * b, a / b, a % b);
}
static void ints(int a, int b) {
    printf("int %d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
}
static void longs(long a, long b) {
    printf("long %ld %ld %ld %ld %ld\n", a + b, a - b, a * b, a / b, a % b);
}
static void llongs(long long a, long long b) {
    printf("llong %lld %lld %lld %lld %lld\n", a + b, a - b, a * b, a / b, a % b);
}
int main(void) {
    chars(100, 27); chars(-128, 3); chars(127, -2);
    shorts(32000, 767); shorts(-32768, 5); shorts(181, 181);
    ints(46340, 46340); ints(-2147483647, 1); ints(123456, -789);
    longs(3000000000L, 2); longs(-9000000000000000000L, 1);
    llongs(1LL << 40, 3); llongs(-(1LL << 62), 1);
    signed char m = -128;
    m = -m;
    printf("%d\n", m);
    return m == -128 ? 0 : 1;
}
