// Jumps into the middle of loops and if-statements.
#include <stdio.h>
static int f(int start) {
    int i = start, s = 0;
    if (start > 2) goto body;
    for (i = 0; i < 5; i++) { s += 100; body: s += i; }
    return s;
}
static int g(int x) {
    int r = 1;
    if (x) { if (x == 2) goto inner; r = 10; } else {
        r = 20;
        while (r < 25) { r++; inner: r += 2; }
    }
    return r;
}
static int h(int n) {
    int c = 0;
    goto test;
    do { c += n; test:; } while (n-- > 0);
    return c;
}
int main(void) {
    for (int i = 0; i < 6; i++) printf("%d ", f(i));
    puts("");
    for (int i = 0; i < 3; i++) printf("%d ", g(i));
    puts("");
    printf("%d %d\n", h(4), h(0));
    return g(2);
}
