// Reading all of stdin with fread in odd sizes; checksum; feof.
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned char b[7];
    size_t n, total = 0, calls = 0;
    unsigned a = 1, s = 0;
    while ((n = fread(b, 1, sizeof b, stdin)) > 0) {
        calls++;
        for (size_t i = 0; i < n; i++) { a = (a + b[i]) % 65521; s = (s + a) % 65521; }
        total += n;
    }
    printf("%zu %zu %08x %d\n", total, calls, s << 16 | a, feof(stdin) != 0);
    return total & 0x7f;
}
