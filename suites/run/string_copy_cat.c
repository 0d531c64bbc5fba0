// strcpy, strncpy, strcat, strncat, stpcpy, memccpy.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[32] = "12345678", b[16];
    strcpy(a, "abc");
    printf("%s %c\n", a, a[4]);
    strncpy(b, "hello", sizeof b);
    int z = 0;
    for (int i = 0; i < 16; i++) z += !b[i];
    printf("%s %d\n", b, z);
    memset(b, '.', 16);
    strncpy(b, "abcdef", 3);
    printf("%.6s\n", b);
    strcat(a, "def");
    strncat(a, "ghijkl", 3);
    strncat(a, "z", 10);
    puts(a);
    char *e = stpcpy(b, "one");
    e = stpcpy(e, "two");
    printf("%s %td\n", b, e - b);
    e = memccpy(b, "path/file", '/', 9);
    *e = 0;
    printf("%s %td\n", b, e - b);
    printf("%d\n", memccpy(b, "abc", 'z', 3) == NULL);
    e = mempcpy(b, "XY", 2);
    *e = 0;
    puts(b);
    e = stpncpy(b, "ab", 5);
    printf("%td %d\n", e - b, b[4]);
    char *r = strcpy(b, "same");
    printf("%d\n", r == b);
    printf("%s\n", strcat(strcpy(a, "x"), "y"));
    printf("%d\n", strcat(a, "") == a);
    return strlen(a);
}
