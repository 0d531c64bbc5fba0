// sizeof of types, expressions, arrays, strings, members; never evaluated.
#include <stdio.h>
struct s { char a; int b[3]; struct { short x; } in; };
union u { char c[7]; int i; };
typedef int arr5[5];
static int calls;
static int f(void) { calls++; return 1; }
static double g(int x) { calls++; return x; }
int main(void) {
    char c;
    short s;
    long l;
    float fl;
    double d;
    void *p = 0;
    int a[2][3];
    struct s st, *ps = &st;
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof c, sizeof s, sizeof l, sizeof fl, sizeof d, sizeof p);
    printf("%zu %zu %zu %zu\n", sizeof a, sizeof a[0], sizeof a[0][0], sizeof(a + 0));
    printf("%zu %zu %zu %zu\n", sizeof st, sizeof ps->b, sizeof ps->in, sizeof(((struct s *)0)->b[0]));
    printf("%zu %zu %zu\n", sizeof(union u), sizeof(arr5), sizeof(arr5 *));
    printf("%zu %zu %zu\n", sizeof f(), sizeof g(f()), sizeof(f() + 1L));
    int i = 5;
    printf("%zu %zu %d\n", sizeof(i++), sizeof(i = 9), i);
    printf("%zu %zu %zu\n", sizeof "hello", sizeof(char), sizeof 'x');
    printf("%zu %zu\n", sizeof(c + c), sizeof(fl + 1));
    printf("%zu %d\n", sizeof(struct { char q[3]; }), calls);
    printf("%zu %zu\n", sizeof(int[3]) / sizeof(int), sizeof(void));
    return calls + (int)sizeof(long double);
}
