// Two-dimensional tables of functions; functions with different prototypes through casts back.
#include <stdio.h>
typedef int bin(int, int);
static int a(int x, int y) { return x + y; }
static int s(int x, int y) { return x - y; }
static int m(int x, int y) { return x * y; }
static int n(int x, int y) { return x < y ? x : y; }
static bin *tab[2][2] = {{a, s}, {m, n}};
typedef void generic(void);
static double half(double x) { return x / 2; }
static const char *greet(void) { return "hello"; }
static generic *any[] = {(generic *)half, (generic *)greet, (generic *)a};
int main(void) {
    int acc = 1;
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) {
        acc = tab[i][j](acc * 3, i + j + 2);
        printf("%d ", acc);
    }
    puts("");
    printf("%g %s %d\n", ((double (*)(double))any[0])(5), ((const char *(*)(void))any[1])(), ((bin *)any[2])(20, 22));
    bin **row = tab[1];
    printf("%d ", row[0](6, 7));
    printf("%d\n", (*++row)(6, 7));
    bin *(*p)[2] = tab;
    printf("%d\n", p[0][1](9, 4));
    bin *t = tab[0][0];
    tab[0][0] = tab[0][1];
    tab[0][1] = t;
    printf("%d %d\n", tab[0][0](5, 3), tab[0][1](5, 3));
    return ((bin *)any[2])(40, 2);
}
