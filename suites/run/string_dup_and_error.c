// strdup, strndup, strerror, strsignal-free; strlen of odd strings.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
int main(void) {
    char *a = strdup("duplicate"), *b = strndup(a, 3), *c = strndup("ab", 10), *d = strdup("");
    printf("%s %s %s [%s]\n", a, b, c, d);
    a[0] = 'D';
    printf("%s %zu %zu\n", a, strlen(b), strlen(d));
    printf("%s\n", strdupa("stack"));
    puts(strerror(ENOENT));
    puts(strerror(EINVAL));
    puts(strerror(0));
    puts(strerror(ENOMEM));
    char *s[3];
    for (int i = 0; i < 3; i++) {
        char t[8];
        sprintf(t, "s%d", i);
        s[i] = strdup(t);
    }
    for (int i = 3; i--;) { printf("%s ", s[i]); free(s[i]); }
    puts("");
    char raw[4] = {'a', 'b', 'c', 'd'};
    char *e = strndup(raw, 4);
    printf("%s\n", e);
    int n = strlen(e) + strlen(a);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return n;
}
