// # and ##, variadic macros, nested expansion, X-macros.
#include <stdio.h>
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define VER 3
#define LIST(X) X(red, 1) X(green, 2) X(blue, 4)
#define ENUM(n, v) C_##n = v,
#define NAME(n, v) [v] = #n,
#define SAY(f, ...) printf(f "\n", ##__VA_ARGS__)
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
#define EMPTY
#define TWICE(m, x) m(x) m(x)
#define P(x) printf("%d ", x);
enum { LIST(ENUM) }; static const char *names[] = {LIST(NAME)};
int main(void) {
    int var3 = 33, VARx = 1;
    puts(STR(VER));
    puts(XSTR(VER));
    puts(STR(a + "q\n" 'c'));
    printf("%d\n", XCAT(var, VER));
    printf("%d %d %s %s\n", C_green, C_blue, names[1], names[4]);
    SAY("plain");
    SAY("%d %s", 5, "args");
    printf("%d %d %d\n", COUNT(x), COUNT(x, y, z), COUNT(1, 2, 3, 4, 5));
    TWICE(P, 1 + 2) puts("");
    printf("%s|%s\n", STR(EMPTY), XSTR(EMPTY));
    printf("%d\n", CAT(1, 2) + CAT(0x, ff));
    puts(XSTR(CAT(VE, R)));
#define F(x) x * 2
#define G F
    printf("%d %d\n", F(3) + 1, G(1 + 1));
    printf("%d %s\n", __LINE__ > 0, XSTR(__COUNTER__)[0] ? "counter" : "");
    return COUNT(a, b);
}
