// Cleanup functions run at scope end in reverse order of declaration.
#include <stdio.h>
static void bye(int *p) { printf("bye %d\n", *p); } static void sbye(const char **p) { printf("s %s\n", *p); }
#define C __attribute__((cleanup(bye)))
static int ret(int x) {
    C int a = x;
    C int b = x + 1;
    if (x > 5) return a + b;
    { C int c = x + 2; a = 100; }
    printf("tail\n");
    return a;
}
static void voidret(int k) { C int a = k; if (k == 1) return; puts("not returned"); }
int main(void) {
    {
        C int a = 1;
        C int b = 2;
        puts("in block");
        b = 20;
    }
    puts("after");
    printf("= %d\n", ret(3));
    printf("= %d\n", ret(7));
    voidret(1);
    voidret(2);
    for (int i = 0; i < 2; i++) {
        C int l = 50 + i;
        __attribute__((cleanup(sbye))) const char *s = i ? "one" : "zero";
        puts("body");
    }
    if (1) { C int in_if = 9; }
    C int m = 99;
    puts("main ends");
    return 5;
}
