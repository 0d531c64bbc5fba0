// Weak definitions and undefined weak references; aliases of functions and objects.
#include <stdio.h>
int real(int x) { return x * 3; }
int other(int x) __attribute__((alias("real")));
extern int weakalias(int) __attribute__((weak, alias("real")));
int data = 5;
extern int datalias __attribute__((alias("data")));
extern int missing(int) __attribute__((weak));
extern int missing_data __attribute__((weak));
__attribute__((weak)) int present(void) { return 17; }
__attribute__((weak)) int wdata = 8;
static int st(int x) { return x - 1; }
int st2(int) __attribute__((alias("st")));
int main(void) {
    printf("%d %d %d\n", real(2), other(3), weakalias(4));
    printf("%d %d\n", other == real, datalias);
    datalias = 9;
    printf("%d %d\n", data, &data == &datalias);
    printf("%d %d\n", missing ? missing(1) : -1, &missing_data ? 1 : 0);
    printf("%d %d %d\n", present(), wdata, st2(10));
    if (&present) puts("present");
    return present();
}
