// 128-bit addition, multiplication, division and shifts.
#include <stdio.h>
typedef __int128 i128; typedef unsigned __int128 u128;
static void put(const char *name, i128 v) {
    char buf[64]; int n = 63; buf[n] = 0;
    int neg = v < 0; u128 m = neg ? -(u128)v : (u128)v;
    do { buf[--n] = '0' + (int)(m % 10); m /= 10; } while (m);
    if (neg) buf[--n] = '-';
    printf("%s=%s\n", name, buf + n);
}
int main(void) {
    i128 a = (i128)1 << 100, b = -((i128)3 << 70);
    put("a", a); put("b", b); put("a+b", a + b); put("a-b", a - b);
    put("a/b", a / b); put("a%b", a % b); put("a>>90", a >> 90); put("b>>60", b >> 60);
    i128 f = 1;
    for (int i = 2; i <= 30; i++) f *= i;
    put("30!", f);
    u128 h = ~(u128)0;
    printf("%llx %llx\n", (unsigned long long)(h >> 64), (unsigned long long)h);
    u128 p = (u128)0xffffffffffffffffull * 0xffffffffffffffffull;
    printf("%llx %llx\n", (unsigned long long)(p >> 64), (unsigned long long)p);
    printf("%d %d %d %d\n", a > b, a == b, (u128)b > (u128)a, sizeof(i128) == 16);
    put("from double", (i128)1e25); printf("%.1f\n", (double)f);
    return (int)(f % 97);
}
