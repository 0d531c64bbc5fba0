// strchr, strrchr, strstr, strpbrk, strspn, strcspn, memchr, strchrnul, strcasestr, memmem, memrchr.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#define AT(e) ({ const char *q_ = (e); q_ ? (int)(q_ - s) : -1; })
int main(void) {
    const char *s = "the quick brown fox jumps";
    printf("%d %d %d %d\n", AT(strchr(s, 'q')), AT(strchr(s, 'z')), AT(strchr(s, 0)), AT(strrchr(s, 'o')));
    printf("%d %d %d %d\n", AT(strstr(s, "brown")), AT(strstr(s, "")), AT(strstr(s, "foxx")), AT(strpbrk(s, "xyz")));
    printf("%zu %zu %zu\n", strspn(s, "eht "), strcspn(s, "kq"), strcspn(s, "Z"));
    printf("%d %d\n", AT(memchr(s, 'b', 25)), AT(memchr(s, 'b', 5)));
    printf("%d %d %d\n", AT(strchrnul(s, '!')), AT(strcasestr(s, "FOX")), AT(memrchr(s, 'u', 25)));
    printf("%d\n", AT(memmem(s, 25, "jum", 3)));
    int n = 0;
    for (const char *p = s; (p = strchr(p, 'o')); p++) n++;
    printf("%d\n", n);
    n = 0;
    for (const char *p = "aaaa"; (p = strstr(p, "aa")); p++) n++;
    printf("%d\n", n);
    printf("%d\n", AT(rawmemchr(s, 'x')));
    return (int)strlen(s) + (int)strnlen(s, 5);
}
