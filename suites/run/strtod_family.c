// strtod, strtof, atof: forms, end pointers, infinities, hex.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
static void t(const char *s) {
    char *e;
    errno = 0;
    double v = strtod(s, &e);
    printf("[%s] %.17g rest [%s] %d\n", s, v, e, errno == ERANGE);
}
int main(void) {
    t("3.25");
    t("  -1e3x");
    t(".5.");
    t("5.");
    t(".");
    t("1e");
    t("1e+");
    t("0x1.8p1");
    t("0x.8");
    t("inf");
    t("-Infinity!");
    t("1e400");
    t("1e-400");
    t("0.1");
    t("123456789012345678901234567890");
    t("2.2250738585072014e-308");
    t("4.9e-324");
    t("1.7976931348623157e308");
    t("");
    t("abc");
    t("+7");
    char *e;
    double n = strtod("nan", &e);
    printf("%d [%s]\n", n != n, e);
    printf("%.9g %.9g\n", strtof("0.1", NULL), atof("2.5xyz"));
    float f = strtof("16777217", NULL);
    printf("%.1f\n", f);
    double s = 0;
    const char *p = "1.5 2.5 3.5 4";
    for (char *q; ; p = q) {
        double d = strtod(p, &q);
        if (q == p) break;
        s += d;
    }
    printf("%g\n", s);
    return (int)s;
}
