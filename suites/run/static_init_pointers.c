// Static initialisers with addresses: elements, members, functions, offsets, strings.
#include <stdio.h>
static int arr[5] = {10, 20, 30, 40, 50};
static int *mid = &arr[2], *end = arr + 5, *back = &arr[4] - 3;
static struct s { int a; struct { char c; short t[3]; } in; } obj = {1, {'c', {7, 8, 9}}};
static short *pt = &obj.in.t[1];
static char *pc = &obj.in.c;
static int f(int x) { return x + 1; }
static int (*pf)(int) = f, (*pfs[2])(int) = {f, &f};
static const char *str = "hello" + 1, *const strs[] = {"x", "yz"};
static char buf[] = "text", *pbuf = buf + 1;
static void *self = &self;
static struct node { int v; struct node *n; } n1, n2 = {2, &n1}, n1 = {1, &n2};
static long diff = (char *)&arr[3] - (char *)arr;
static int (*parr)[5] = &arr;
static union { int i; int *p; } u = {.p = arr + 1};
extern int later[];
static int *pl = later + 1;
int later[] = {5, 6};
int main(void) {
    printf("%d %d %d\n", *mid, end[-1], *back);
    printf("%d %c\n", *pt, *pc);
    printf("%d %d\n", pf(1), pfs[1](2));
    printf("%s %s %s\n", str, strs[1], pbuf);
    printf("%d %d %d\n", self == &self, n1.n->v, n2.n->n->v);
    printf("%ld %d %d %d\n", diff, (*parr)[4], *u.p, *pl);
    *pbuf = 'E';
    puts(buf);
    return *mid;
}
