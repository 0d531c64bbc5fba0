// Types of integer constants by base and suffix.
#include <stdio.h>
#define T(x) _Generic((x), int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", \
    long long: "llong", unsigned long long: "ullong", float: "float", double: "double", long double: "ldouble", default: "?")
int main(void) {
    printf("%s %s %s\n", T(1), T(2147483647), T(2147483648));
    printf("%s %s %s %s\n", T(0x7fffffff), T(0x80000000), T(0xffffffff), T(0x100000000));
    printf("%s %s %s\n", T(037777777777), T(9223372036854775807), T(0x8000000000000000));
    printf("%s %s %s %s %s %s\n", T(1u), T(1l), T(1ul), T(1ll), T(1ull), T(4294967296u));
    printf("%s %s %s %s\n", T(1.0), T(1.0f), T(1.0L), T(1e3));
    printf("%s %s\n", T('a'), T(-2147483648));
    printf("%d %d %d %d\n", 0b1011, 0x1F, 017, 'a');
    printf("%d %d %d %d %d\n", '\n', '\0', '\x41', '\101', '\\');
    printf("%d %d\n", 'ab', 'abcd');
    printf("%g %g %g\n", 0x1.8p3, 1.e2, .5e-1);
    return 0b101010;
}
