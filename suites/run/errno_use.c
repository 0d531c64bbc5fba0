// errno is an lvalue kept across calls that do not set it.
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
static int parse(const char *s, long lo, long hi, long *out) {
    char *e;
    errno = 0;
    long v = strtol(s, &e, 10);
    if (e == s || *e) return EINVAL;
    if (errno) return errno;
    if (v < lo || v > hi) return ERANGE;
    *out = v;
    return 0;
}
int main(void) {
    const char *ts[] = {"12", "-3", "12x", "", "99999999999999999999", "101"};
    long v = -1;
    for (int i = 0; i < 6; i++) {
        int r = parse(ts[i], 0, 100, &v);
        printf("[%s] %s %ld\n", ts[i], r == 0 ? "ok" : r == EINVAL ? "EINVAL" : "ERANGE", v);
    }
    errno = 7;
    strlen("x");
    printf("%d\n", errno);
    errno++;
    int *p = &errno;
    *p *= 2;
    printf("%d\n", errno);
    printf("%d %d %d %d\n", EPERM, ENOENT, EDOM, ERANGE);
    errno = 0;
    FILE *f = fopen("/nonexistent-dir/nonexistent-file", "r");
    printf("%d %d\n", f == NULL, errno == ENOENT);
    return (int)v;
}
