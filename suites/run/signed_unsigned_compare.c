// Comparisons after the usual arithmetic conversions.
#include <stdio.h>
#define SHOW(e) printf("%-36s %d\n", #e, (int)(e))
int main(void) {
    int mi = -1;
    unsigned u = 1;
    long ml = -1;
    unsigned long ul = 1;
    unsigned short us = 1;
    signed char sc = -1;
    unsigned char uc = 255; long long mll = -1; unsigned long long ull = 1; short ms = -1;
    SHOW(mi < u); SHOW(mi > u); SHOW(ml < u); SHOW(ml > u); SHOW(ml < ul); SHOW(mll < ull);
    SHOW(mi < us); SHOW(ms < u); SHOW(sc < uc); SHOW(sc == uc); SHOW((unsigned char)sc == uc);
    SHOW(mi == 4294967295u); SHOW(ml == 4294967295u); SHOW(ml == 18446744073709551615ul);
    SHOW(sizeof(int) > -1); SHOW((int)sizeof(int) > -1);
    SHOW('\xff' < 0); SHOW((unsigned char)'\xff' < 0);
    SHOW(-1 < 0u); SHOW(-1L < 0u); SHOW(-1LL < 0ul);
    SHOW(us - 2 < 0); SHOW(u - 2 < 0); SHOW(uc + 1 == 256); SHOW((unsigned char)(uc + 1) == 0);
    int n = 0;
    for (unsigned i = 3; i + 1 > 0; i--) n++;
    printf("%d\n", n);
    return n;
}
