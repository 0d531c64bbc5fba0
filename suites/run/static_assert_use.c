// _Static_assert at file, block and struct scope.
#include <stdio.h>
#include <assert.h>
#include <limits.h>
_Static_assert(sizeof(int) == 4, "int");
_Static_assert(CHAR_BIT == 8, "byte");
static_assert(-1 / 2 == 0, "trunc");
static_assert((-1 >> 1) == -1, "arith");
static_assert(sizeof(struct { char c; long l; }) == 16, "pad");
struct s { int a; _Static_assert(sizeof(long) == 8, "long"); char b; };
_Static_assert(__builtin_offsetof(struct s, b) == 4, "offset");
_Static_assert((unsigned char)-1 == 255, "uchar");
_Static_assert('\xff' < 0, "signed char");
enum { E = 5 };
_Static_assert(E * 2 == 10, "enum");
int main(void) {
    _Static_assert(sizeof "abc" == 4, "literal");
    _Static_assert(0x7fffffff + 1u == 0x80000000, "u");
    _Static_assert(1 ? 1 : 0, "c");
    for (int i = 0; i < 1; i++) { _Static_assert(_Alignof(double) == 8, "align"); }
    assert(sizeof(struct s) == 8); assert(1 && "with text"); int x = 4; assert(x == 4);
    struct s v = {x, 'b'}; printf("%d %c %zu\n", v.a, v.b, sizeof v); return sizeof v;
}
