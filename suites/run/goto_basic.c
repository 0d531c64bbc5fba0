// Forward and backward goto, out of nested loops, into blocks.
#include <stdio.h>
static int search(int n) {
    for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) for (int k = 1; k < n; k++) if (i * i + j * j == k * k && i + j + k > 20) {
        printf("%d %d %d\n", i, j, k);
        goto found;
    }
    return 0;
    found: return 1;
}
static int collatz(int n) {
    int c = 0;
    top: if (n == 1) goto done;
    c++;
    if (n & 1) { n = 3 * n + 1; goto top; }
    n /= 2;
    goto top;
    done: return c;
}
static int into(int x) {
    int r = 0;
    if (x) goto in;
    { r = 100; in: r += 5; }
    while (0) { goto l; l: r += 1000; }
    if (x == 2) goto l;
    return r;
}
int main(void) {
    printf("%d %d\n", search(20), search(5));
    for (int i = 1; i < 12; i++) printf("%d ", collatz(i));
    puts("");
    printf("%d %d\n", into(0), into(1));
    int i = 0; loop: { int v = i * 2; printf("%d ", v); if (++i < 5) goto loop; } puts("");
    for (int a = 0;; a++) { for (;;) { if (a > 2) goto out; break; } printf("a%d ", a); } out: puts("");
    int n = 0;
    goto mid;
    first: n += 1;
    goto end;
    mid: n += 10;
    goto first;
    end: printf("%d\n", n);
    int w = 0;
    while (w < 10) {
        w++;
        if (w == 4) goto skip;
        n += w;
        skip:;
    }
    printf("%d\n", n);
    return n;
}
