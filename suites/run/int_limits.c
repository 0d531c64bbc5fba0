// limits.h and stdint.h values.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
int main(void) {
    printf("%d %d %d\n", CHAR_BIT, SCHAR_MIN, SCHAR_MAX);
    printf("%d %d %d\n", CHAR_MIN, CHAR_MAX, UCHAR_MAX);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%zu %zu %zu %zu %zu\n", sizeof(int_fast8_t), sizeof(int_fast16_t), sizeof(int_least32_t), sizeof(intmax_t), sizeof(intptr_t));
    printf("%lu %ld\n", (unsigned long)SIZE_MAX, (long)PTRDIFF_MAX);
    printf("%d\n", INT_MIN + INT_MAX);
    printf("%u\n", (unsigned)INT_MIN);
    printf("%lld\n", (long long)INT_MIN * INT_MIN);
    printf("%lu %ld\n", UINT64_C(18446744073709551615), INT64_C(-9223372036854775807));
    return INT_MIN == -INT_MAX - 1 ? 7 : 1;
}
