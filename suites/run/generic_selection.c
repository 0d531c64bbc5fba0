// _Generic picks by type without evaluating its operand.
#include <stdio.h>
#define NAME(x) _Generic((x), char: "char", signed char: "schar", unsigned char: "uchar", short: "short", int: "int", unsigned: "unsigned", long: "long", unsigned long: "ulong", \
    float: "float", double: "double", char *: "char*", const char *: "const char*", int *: "int*", void *: "void*", struct p: "p", int (*)(int): "fn", _Bool: "bool", default: "other")
struct p { int x; }; static int f(int x) { return x; }
static int iabs(int x) { return x < 0 ? -x : x; }
static double dabs(double x) { return x < 0 ? -x : x; }
static long labs_(long x) { return x < 0 ? -x : x; }
#define ABS(x) _Generic((x), int: iabs, long: labs_, default: dabs)(x)
int main(void) {
    char c = 0;
    const int ci = 1;
    int a[3];
    short s = 1;
    unsigned char uc = 1;
    struct p p = {0};
    const char *cs = "";
    puts(NAME(c));
    puts(NAME(ci));
    puts(NAME(a));
    puts(NAME(s));
    puts(NAME(s + s));
    puts(NAME(uc));
    puts(NAME("lit"));
    puts(NAME(cs));
    puts(NAME('a'));
    puts(NAME(1.0f * 2));
    puts(NAME(1.0f * 2.0));
    puts(NAME(p));
    puts(NAME(f));
    puts(NAME(&p));
    puts(NAME((void *)0));
    puts(NAME(sizeof 1));
    puts(NAME((_Bool)1));
    puts(NAME(1 == 1));
    puts(NAME(1u + 1L));
    puts(NAME(c ? c : s));
    puts(NAME((signed char)1));
    puts(NAME(&a[0]));
    printf("%d %ld %g\n", ABS(-3), ABS(-3L), ABS(-3.5f));
    int i = 0;
    _Generic(i++, int: 0, default: 1);
    printf("%d\n", i);
    int k = 5;
    _Generic(k, int: k) = 6;
    return k + _Generic(c, char: 10, default: 20);
}
