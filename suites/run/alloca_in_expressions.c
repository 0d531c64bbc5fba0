// alloca and VLAs together; sizes from function results.
#include <stdio.h>
#include <string.h>
#include <alloca.h>
static size_t need(const char *s) { return strlen(s) + 1; }
static int count(const char *text, char sep) {
    char *copy = strcpy(alloca(need(text)), text); int n = 0;
    for (char *p = copy; *p; n++) { char *e = strchr(p, sep); if (!e) { n++; break; } *e = 0; p = e + 1; }
    int len[n + 1]; memset(len, 0, sizeof len);
    char *q = copy; for (int i = 0; i < n; i++) { len[i] = strlen(q); q += len[i] + 1; }
    int s = 0; for (int i = 0; i < n; i++) s = s * 10 + len[i];
    return s;
}
int main(void) {
    printf("%d\n", count("a,bbb,cc,dddd", ','));
    printf("%d\n", count("single", ','));
    int total = 0; for (int i = 1; i < 50; i++) { char *p = alloca(i); memset(p, i, i); total += p[i - 1]; }
    printf("%d\n", total);
    return count("xy/z", '/');
}
