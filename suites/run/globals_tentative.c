// Tentative definitions, extern declarations in blocks, shadowing.
#include <stdio.h>
int a;
int a;
int a = 5;
extern int a;
static int b;
static int b = 7;
int arr[];
int arr[4];
extern int later;
extern const char msg[];
int x = 1; struct opaque; extern struct opaque obj; struct opaque { int v; }; struct opaque obj = {33};
static int get(void) { extern int x; return x; }
static int shadow(int x) { int r = x; { int x = r * 2; r += x; { extern int x; r += x * 1000; } } return r; }
static int *self = &b; static int **pself = &self; static char *mid = (char *)&arr[2]; static long dist = 3;
int main(void) {
    printf("%d %d %d %d\n", a, b, arr[3], later); arr[1] = 4; puts(msg);
    printf("%d %d\n", get(), shadow(3));
    { int x = 50; { extern int x; x++; } printf("%d %d\n", x, get()); }
    **pself = 70; printf("%d %d\n", b, obj.v);
    *(int *)mid = 12; printf("%d %ld\n", arr[2], dist);
    for (int x = 0; x < 2; x++) { int x = 9; x++; a += x; } printf("%d\n", a);
    int a = 1; { int a = 2; { int a = 3; printf("%d", a); } printf("%d", a); } printf("%d\n", a);
    return later;
}
int later = 11; const char msg[] = "later message";
