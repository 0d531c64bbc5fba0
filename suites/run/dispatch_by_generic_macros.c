// _Generic over pointers and qualifiers, printing values by type.
#include <stdio.h>
#define FMT(x) _Generic((x), int: "%d", unsigned: "%u", long: "%ld", char: "%c", double: "%g", float: "%g", char *: "%s", const char *: "%s", _Bool: "%d", default: "?")
#define SHOW(x) (printf(#x " = "), printf(FMT(x), (x)), putchar('\n'))
#define IS_CONST_INT_PTR(p) _Generic((p), const int *: 1, int *: 0, default: -1)
#define SIZE_CLASS(x) _Generic(&(x), char (*)[4]: "four", char (*)[8]: "eight", default: "other")
int main(void) {
    int i = -3;
    unsigned u = 4;
    long l = 5;
    char c = 'c';
    double d = 2.5;
    const char *s = "str";
    char arr[4] = "abc", brr[8] = "";
    _Bool b = 1;
    float f = 0.5f;
    SHOW(i);
    SHOW(u);
    SHOW(l);
    SHOW(c);
    SHOW(d);
    SHOW(s);
    SHOW(arr);
    SHOW(b);
    SHOW(f);
    SHOW(i + l);
    SHOW(c + 0);
    SHOW(i * 1.0);
    const int k = 1;
    int *p = &i;
    const int *q = &k;
    printf("%d %d %d\n", IS_CONST_INT_PTR(p), IS_CONST_INT_PTR(q), IS_CONST_INT_PTR(&k));
    printf("%s %s %s\n", SIZE_CLASS(arr), SIZE_CLASS(brr), SIZE_CLASS(i));
    return IS_CONST_INT_PTR(s) + 2;
}
