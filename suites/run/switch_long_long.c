// Controlling expressions of 64-bit, unsigned, char, enum and _Bool type.
#include <stdio.h>
static int a(long long x) {
    switch (x) {
        case 0x100000000LL: return 1;
        case -1: return 2;
        case 0: return 3;
        case 0x7fffffffffffffffLL: return 4;
        case 5000000000LL ... 5000000010LL: return 5;
    }
    return 0;
}
static int b(unsigned x) {
    switch (x) {
        case -1: return 1;
        case 0x80000000u: return 2;
        case 0: return 3;
        case 0xfffffff0u ... 0xfffffffeu: return 4;
    }
    return 0;
}
static int c(signed char x) {
    switch (x) {
        case -128: return 1;
        case 127: return 2;
        case -1: return 3;
    }
    return 0;
}
static int d(_Bool x) { switch (x) { case 0: return 10; case 1: return 11; } return 12; }
static int e(unsigned long x) {
    switch (x) {
        case ~0ul: return 1;
        case 1ul << 63: return 2;
        case (unsigned)-1: return 3;
    }
    return 0;
}
static int f(short x) { switch (x + 1) { case 32768: return 1; case -32767: return 2; } return 0; }
int main(void) {
    printf("%d%d%d%d%d%d%d\n", a(4294967296LL), a(-1), a(0), a(9223372036854775807LL), a(5000000005LL), a(5000000011LL), a(4294967295LL));
    printf("%d%d%d%d%d\n", b(4294967295u), b(2147483648u), b(0), b(0xfffffff8u), b(1));
    printf("%d%d%d%d\n", c(-128), c(127), c(255), c(0));
    printf("%d %d\n", d(7), d(0));
    printf("%d%d%d\n", e(-1), e(1ul << 63), e(0xffffffffu));
    printf("%d%d%d\n", f(32767), f(-32768), f(0));
    return a(5000000000LL) * 10 + b(-16);
}
