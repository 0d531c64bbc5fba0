// Block-scope declarations of objects and functions with linkage.
#include <stdio.h>
static int f(void) {
    extern int shared;
    extern int helper(int), other(void);
    return helper(shared) + other();
}
static int g(void) { static int shared = 1000; { extern int shared; shared += 5; } return shared; }
int main(void) {
    printf("%d\n", f());
    int a = g();
    printf("%d\n", a);
    printf("%d\n", f());
    { int helper(int); printf("%d\n", helper(1)); }
    extern const char names[][4];
    printf("%s %s\n", names[0], names[1]);
    return f() & 0x7f;
}
int shared = 10;
int helper(int x) { return x * 2; }
int other(void) { extern int shared; return shared + 1; }
const char names[][4] = {"one", "two"};
