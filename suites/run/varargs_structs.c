// Structs through variable arguments.
#include <stdio.h>
#include <stdarg.h>
struct s4 { int a; };
struct s12 { int a, b, c; };
struct sd { double x, y; };
struct mix { long l; double d; };
struct big { int v[10]; };
struct ch { char c[3]; };
static void f(const char *k, ...) {
    va_list ap; va_start(ap, k);
    for (; *k; k++) switch (*k) {
    case '4': printf("s4 %d\n", va_arg(ap, struct s4).a); break;
    case 'c': { struct s12 s = va_arg(ap, struct s12); printf("s12 %d %d %d\n", s.a, s.b, s.c); break; }
    case 'd': { struct sd s = va_arg(ap, struct sd); printf("sd %g %g\n", s.x, s.y); break; }
    case 'm': { struct mix s = va_arg(ap, struct mix); printf("mix %ld %g\n", s.l, s.d); break; }
    case 'b': { struct big s = va_arg(ap, struct big); printf("big %d %d\n", s.v[0], s.v[9]); break; }
    case 'h': { struct ch s = va_arg(ap, struct ch); printf("ch %.3s\n", s.c); break; }
    case 'i': printf("int %d\n", va_arg(ap, int)); break;
    }
    va_end(ap);
}
int main(void) {
    struct s4 a = {4};
    struct s12 c = {1, 2, 3};
    struct sd d = {1.5, 2.5};
    struct mix m = {7, 7.5};
    struct big b = {{1, [9] = 10}};
    struct ch h = {"xyz"};
    f("4cdmbhi", a, c, d, m, b, h, 99);
    f("iiiicdmicdmi", 1, 2, 3, 4, c, d, m, 5, c, d, m, 6);
    f("ddddddmm", d, d, d, d, d, d, m, m);
    return sizeof b;
}
