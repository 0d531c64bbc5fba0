// Small types become int before arithmetic; sizes and signs of the results.
#include <stdio.h>
int main(void) {
    char c = 'A'; unsigned char uc = 200; short s = 30000; unsigned short us = 60000; _Bool b = 1;
    printf("%zu %zu %zu %zu %zu\n", sizeof(c + c), sizeof(+uc), sizeof(-s), sizeof(~us), sizeof(b + b));
    printf("%d %d %d %d %d\n", uc + uc, s + s, us + us, ~uc, -us);
    printf("%d %d\n", uc - 201 < 0, (unsigned char)(uc - 201) < 0);
    printf("%d %d\n", !uc, !!us);
    printf("%zu %zu %zu\n", sizeof(c ? c : s), sizeof(1 ? b : c), sizeof(0 ? 1 : 2L));
    unsigned char x = 0xff;
    printf("%d %d\n", ~x == 0, (unsigned char)~x == 0);
    printf("%d\n", (x << 4) >> 4);
    unsigned char t = x << 4; t >>= 4;
    printf("%d\n", t);
    enum small { ONE = 1 } e = ONE;
    printf("%zu %d\n", sizeof(e + c), e - 2 < 0);
    printf("%zu %zu\n", sizeof 'a', sizeof((char)'a'));
    return b + b + b;
}
