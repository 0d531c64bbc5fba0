// strcmp, strncmp, memcmp, strcasecmp, strncasecmp, strcoll.
#include <stdio.h>
#include <string.h>
#include <strings.h>
static int sg(int x) { return (x > 0) - (x < 0); }
int main(void) {
    const char *w[] = {"", "a", "ab", "abc", "abd", "B", "\xff"};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) printf("%2d ", sg(strcmp(w[i], w[j])));
        puts("");
    }
    printf("%d %d %d %d\n", sg(strncmp("abcx", "abcy", 3)), sg(strncmp("abcx", "abcy", 4)), sg(strncmp("ab", "ab\0z", 5)), strncmp("a", "b", 0));
    printf("%d %d %d\n", sg(memcmp("a\0b", "a\0c", 3)), memcmp("x", "y", 0), sg(memcmp("\x80", "\x7f", 1)));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), sg(strcasecmp("abc", "ABD")), strncasecmp("HELxx", "helYY", 3));
    printf("%d\n", sg(strcoll("apple", "banana")));
    struct { int a, b; } x = {1, 2}, y = {1, 2};
    printf("%d\n", memcmp(&x, &y, sizeof x));
    return sg(strcmp("b", "a"));
}
