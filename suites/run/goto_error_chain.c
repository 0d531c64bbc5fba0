// The kernel style of unwinding with labels in reverse order.
#include <stdio.h>
#include <stdlib.h>
static int live;
static void *get(int ok) {
    if (!ok) return 0;
    live++;
    return malloc(8);
}
static void put(void *p) { live--; free(p); }
static int work(int fail) {
    int rc = -1;
    char *a = get(fail != 1);
    if (!a) goto out;
    char *b = get(fail != 2);
    if (!b) goto free_a;
    char *c = get(fail != 3);
    if (!c) goto free_b;
    a[0] = 1; b[0] = 2; c[0] = 3; rc = a[0] + b[0] + c[0]; if (fail == 4) { rc = -2; goto free_c; } rc *= 10;
free_c: put(c);
free_b: put(b);
free_a: put(a);
out: return rc;
}
int main(void) {
    for (int f = 0; f < 5; f++) {
        int r = work(f);
        printf("fail %d: %d live %d\n", f, r, live);
    }
    return live;
}
