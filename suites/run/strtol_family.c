// strtol, strtoul, strtoll: bases, end pointers, overflow with errno.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>
static void t(const char *s, int base) {
    char *e;
    errno = 0;
    long v = strtol(s, &e, base);
    printf("[%s] %d: %ld rest [%s] %s\n", s, base, v, e, errno == ERANGE ? "ERANGE" : errno == EINVAL ? "EINVAL" : "ok");
}
int main(void) {
    t("42", 10);
    t("  -17xyz", 10);
    t("+5", 10);
    t("0x1F", 16);
    t("0x1F", 0);
    t("017", 0);
    t("017", 10);
    t("z", 36);
    t("1010102", 2);
    t("", 10);
    t("abc", 10);
    t("0x", 16);
    t("- 5", 10);
    t("9223372036854775807", 10);
    t("9223372036854775808", 10);
    t("-9223372036854775808", 10);
    t("-99999999999999999999", 10);
    char *e;
    errno = 0;
    unsigned long u = strtoul("18446744073709551615", &e, 10);
    printf("%lu %d\n", u, errno);
    u = strtoul("-1", NULL, 10);
    printf("%lu\n", u);
    errno = 0;
    u = strtoul("18446744073709551616", NULL, 10);
    printf("%lu %d\n", u, errno == ERANGE);
    printf("%lld %llu\n", strtoll("-123456789012", NULL, 0), strtoull("0xffffffffffffffff", NULL, 0));
    printf("%d %ld %lld\n", atoi("  123abc"), atol("-456"), atoll("789012345678"));
    printf("%d %d\n", atoi(""), atoi("x1"));
    return atoi("42");
}
