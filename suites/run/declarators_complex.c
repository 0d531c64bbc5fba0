// Declarators read inside out.
#include <stdio.h>
static int one(void) { return 1; } static int two(void) { return 2; }
static int (*arr[2])(void) = {one, two};
static int (*(*parr)[2])(void) = &arr;
static int (*getf(int i))(void) { return arr[i]; }
static int (*(*getg(void))(int))(void) { return getf; }
static char (*rows(void))[4] { static char r[2][4] = {"abc", "xyz"}; return r; }
static char *(*names[2])[3]; static char *set[3] = {"p", "q", "r"};
typedef int (*fn)(void); typedef fn (*sel)(int); typedef sel (*mk)(void);
static void (*sig(int n, void (*h)(int)))(int) {
    static void (*old)(int);
    void (*o)(int) = old;
    old = h;
    (void)n;
    return o;
}
static int seen; static void hand(int n) { seen += n; }
int main(void) {
    printf("%d %d\n", (*parr)[0](), (**parr)());
    printf("%d %d\n", getf(1)(), getg()(0)());
    mk m = getg; sel s = m(); fn f = s(1); printf("%d\n", f());
    printf("%s %c\n", rows()[1], (*rows())[2]);
    names[1] = &set; printf("%s\n", (*names[1])[2]);
    printf("%d\n", sig(1, hand) == 0); sig(2, 0)(5); printf("%d\n", seen);
    int (*(*x[1])(int))(void) = {getf}; printf("%d\n", x[0](1)());
    int *const volatile *const *p;
    int v = 8, *const volatile q = &v, *const volatile *const r = &q;
    p = &r;
    printf("%d\n", ***p);
    return sizeof(int (*[3])(char)) + sizeof(int[2][3]);
}
