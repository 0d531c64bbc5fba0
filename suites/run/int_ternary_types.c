// The common type of ?: changes values.
#include <stdio.h>
int main(void) {
    int t = 1;
    unsigned u = 5;
    long l = (t ? -1 : u);
    printf("%ld\n", l);
    l = (t ? -1L : u);
    printf("%ld\n", l);
    unsigned char c = 200;
    signed char s = -56;
    printf("%d %d\n", (t ? c : s), (t ? s : c));
    printf("%g %g\n", (double)(t ? 1 : 2.0) / 2, t ? 1 / 2 : 0.5);
    long long ll = t ? -1 : 0ull > 0;
    printf("%lld\n", ll);
    printf("%d %d\n", (t ? -1 : 0u) > 0, (t ? -1 : 0) > 0);
    unsigned long ul = t ? -2 : 1;
    printf("%lu\n", ul);
    unsigned short us = 65535;
    printf("%d\n", (t ? us : -1) + 1);
    const int *p = t ? (void *)0 : &t;
    printf("%d\n", p == 0);
    char *q = t ? "yes" : 0;
    puts(q);
    printf("%zu %zu %zu\n", sizeof(t ? 'a' : 1.0f), sizeof(t ? (char)1 : (char)2), sizeof(t ? 1 : 1ll));
    return (t ? 3 : 4) + (t ? 0 : 1 / t);
}
