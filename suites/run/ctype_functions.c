// All classification functions over the ASCII range, as bit masks.
#include <stdio.h>
#include <ctype.h>
int main(void) {
    unsigned h = 0;
    int counts[12] = {0};
    for (int c = -1; c < 256; c++) {
        int m[] = {isalpha(c), isdigit(c), isalnum(c), isspace(c), isupper(c), islower(c), ispunct(c), isprint(c), isgraph(c), iscntrl(c), isxdigit(c), isblank(c)};
        unsigned bits = 0;
        for (int i = 0; i < 12; i++) {
            counts[i] += !!m[i];
            bits |= (unsigned)!!m[i] << i;
        }
        h = h * 31 + bits;
        if (c % 37 == 0) printf("%d:%03x ", c, bits);
    }
    puts("");
    for (int i = 0; i < 12; i++) printf("%d ", counts[i]);
    printf("%u\n", h);
    for (const char *s = "MiXeD 123_z!"; *s; s++) printf("%c%c ", toupper((unsigned char)*s), tolower((unsigned char)*s));
    puts("");
    printf("%d %d %d\n", toupper('5'), tolower(200), toupper(-1));
    int n = 0;
    for (int c = 0; c < 128; c++) if (isxdigit(c)) n += isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
    printf("%d\n", n);
    return n;
}
