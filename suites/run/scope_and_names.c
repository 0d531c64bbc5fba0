// Name spaces of C: tags, labels, members and ordinary identifiers; block scope of each.
#include <stdio.h>
struct x { int x; }; typedef struct x y; enum { z = 3 };
static int f(int y) { struct x { char x[2]; } v = {{1, 2}}; return v.x[1] + y + sizeof(struct x); }
int main(void) {
    struct x x = {4}; int y = x.x;
    goto z; y = 100;
z:  printf("%d %d %zu\n", y, z, sizeof(struct x));
    { enum { z = 10 }; printf("%d\n", z); { typedef char z; z c = 'c'; printf("%c %zu\n", c, sizeof(z)); } }
    printf("%d %d\n", z, f(1));
    for (int i = 0, x = 5; i < 1; i++) { printf("%d\n", x); int i = 7; printf("%d\n", i); }
    if (sizeof(enum { q = 9 }) && q) printf("%d\n", q);
    int i = 1; { int j = i; int i = j + 1; printf("%d %d\n", i, j); } printf("%d\n", i);
    typedef int T; { int T = 3; T++; printf("%d\n", T * 2); } T t = 6; printf("%d\n", t);
    return x.x + z;
}
