// snprintf truncation, return values, sizes of zero; sprintf; asprintf.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
extern int asprintf(char **, const char *, ...);
int main(void) {
    char b[10];
    int n = snprintf(b, sizeof b, "%s", "short");
    printf("%d [%s]\n", n, b);
    n = snprintf(b, sizeof b, "%s %d", "longer text", 5);
    printf("%d [%s]\n", n, b);
    n = snprintf(b, 1, "abc");
    printf("%d [%s]\n", n, b);
    n = snprintf(NULL, 0, "%d-%d", 100, 200);
    printf("%d\n", n);
    memset(b, '#', sizeof b);
    n = snprintf(b, 0, "zzz");
    printf("%d %c\n", n, b[0]);
    n = snprintf(b, 4, "%d", 123);
    printf("%d [%s] %c\n", n, b, b[4]);
    char big[64];
    n = sprintf(big, "%3d|%-4s|%.2f", 7, "ab", 1.005);
    printf("%d [%s]\n", n, big);
    char *p = big;
    for (int i = 0; i < 5; i++) p += sprintf(p, "%d,", i * i);
    p[-1] = 0;
    puts(big);
    char *a;
    n = asprintf(&a, "<%s:%d>", "dyn", 99);
    printf("%d %s\n", n, a);
    free(a);
    size_t len = 0;
    char acc[20] = "";
    const char *w[] = {"alpha", "beta", "gamma", "delta"};
    for (int i = 0; i < 4; i++) {
        int k = snprintf(acc + len, sizeof acc - len, "%s;", w[i]);
        if (k < 0 || (size_t)k >= sizeof acc - len) { printf("full at %d\n", i); break; }
        len += k;
    }
    printf("%zu [%s]\n", len, acc);
    return n;
}
