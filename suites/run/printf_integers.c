// Integer conversions with flags, width, precision, length modifiers.
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>
#include <stddef.h>
int main(void) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%+5d] [%-+5d]\n", 42, 42, 42, 42, 42, 42, 42, 42);
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", -42, -42, -42, -42, -42, -42);
    printf("[%.3d] [%8.3d] [%-8.3d] [%08.3d] [%.0d] [%.0d] [%+.2d]\n", 7, 7, 7, 7, 0, 5, 7);
    printf("[%x] [%X] [%#x] [%#X] [%08x] [%#010x] [%#.4x] [%-8x|] [%#x]\n", 255, 255, 255, 255, 255, 255, 255, 255, 0);
    printf("[%o] [%#o] [%5o] [%#o] [%.0o] [%#.0o]\n", 64, 64, 8, 0, 0, 0);
    printf("[%u] [%5u] [%lu] [%llu] [%zu] [%ju]\n", 4294967295u, 7u, 18446744073709551615ul, 1ull << 63, sizeof(int), (uintmax_t)9);
    printf("[%hhd] [%hhu] [%hd] [%hu] [%ld] [%lld] [%td] [%jd]\n", (signed char)-1, (unsigned char)255, (short)-2, (unsigned short)65534, -3L, -4LL, (ptrdiff_t)-5, (intmax_t)-6);
    printf("[%hhx] [%hx] [%hhd]\n", 0x1ff, 0x12345, 300);
    printf("[%*d] [%-*d] [%.*d] [%*.*d] [%*d]\n", 6, 1, 6, 2, 4, 3, 8, 4, 5, -6, 9);
    printf("[%" PRId64 "] [%" PRIu32 "] [%" PRIx8 "] [%" PRIi16 "]\n", INT64_MIN, UINT32_MAX, (uint8_t)200, (int16_t)-7);
    printf("[%i] [%%]\n", 3);
    int n = printf("%d%s", 12345, "\n");
    printf("%d %x\n", n, -1);
    return n;
}
