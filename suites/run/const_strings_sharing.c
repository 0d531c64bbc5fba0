// String constants in tables, pointers into them, comparisons by content.
#include <stdio.h>
#include <string.h>
static const char *const days[] = {"monday", "tuesday", "wednesday", "thursday", "friday"};
static const char packed[] = "one\0two\0three\0four\0";
static const struct { unsigned off; unsigned char len; } idx[] = {{0, 3}, {4, 3}, {8, 5}, {14, 4}};
int main(void) {
    for (unsigned i = 0; i < 5; i++) printf("%s ", days[i] + strlen(days[i]) - 3);
    puts("");
    int n = 0;
    for (const char *p = packed; *p; p += strlen(p) + 1) {
        printf("%s %d %d\n", p, memcmp(p, packed + idx[n].off, idx[n].len), (int)(p - packed));
        n++;
    }
    printf("%zu\n", sizeof packed);
    const char *longest = days[0];
    for (int i = 1; i < 5; i++) if (strlen(days[i]) > strlen(longest)) longest = days[i];
    puts(longest);
    char c = "abcdef"[n];
    printf("%c %c\n", c, *("xyz" + 2));
    return strcmp(days[4], "friday") == 0 ? n : 99;
}
