// Plain char is signed on this target.
#include <stdio.h>
#include <string.h>
int main(void) {
    char c = '\x80'; signed char s = -128; unsigned char u = 0x80;
    printf("%d %d %d\n", c, s, u);
    printf("%d %d %d\n", c == s, c == u, s == u);
    char text[] = "caf\xc3\xa9";
    int sum = 0, usum = 0;
    for (char *p = text; *p; p++) { sum += *p; usum += (unsigned char)*p; }
    printf("%d %d %zu\n", sum, usum, strlen(text));
    int counts[256] = {0};
    for (char *p = text; *p; p++) counts[(unsigned char)*p]++;
    printf("%d %d %d\n", counts[0xc3], counts[0xa9], counts['c']);
    printf("%d\n", strcmp("\x7f", "\x80") < 0);
    printf("%d\n", memcmp("\x01", "\xff", 1) < 0);
    char k = 127; k++;
    printf("%d %d\n", k, k < 0);
    int m = 'a' - 'A'; char d = 'z' - m;
    putchar(d); putchar('\n');
    return c < 0;
}
