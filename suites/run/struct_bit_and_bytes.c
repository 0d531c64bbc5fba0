// The bytes of structs: zero padding by memset, order of members in memory.
#include <stdio.h>
#include <string.h>
struct s { unsigned char a; unsigned short b; unsigned int c; unsigned char d[3]; unsigned long long e; };
static void dump(const void *p, size_t n) {
    for (size_t i = 0; i < n; i++) printf("%02x%s", ((const unsigned char *)p)[i], i % 8 == 7 ? " " : "");
    puts("");
}
int main(void) {
    struct s x;
    memset(&x, 0, sizeof x);
    x.a = 1;
    x.b = 0x0203;
    x.c = 0x04050607;
    x.d[0] = 8;
    x.d[2] = 9;
    x.e = 0x0a0b0c0d0e0f1011ull;
    dump(&x, sizeof x);
    struct s y;
    memcpy(&y, &x, sizeof y);
    printf("%d\n", memcmp(&x, &y, sizeof x));
    unsigned char *b = (unsigned char *)&y.c;
    b[0] = 0xff;
    printf("%x\n", y.c);
    printf("%d\n", memcmp(&x, &y, sizeof x) != 0);
    unsigned h = 0;
    for (size_t i = 0; i < sizeof x; i++) h = h * 131 + ((unsigned char *)&x)[i];
    printf("%u\n", h);
    struct s arr[2];
    memset(arr, 0, sizeof arr);
    arr[1].e = 1;
    dump(arr, sizeof arr);
    return sizeof x;
}
