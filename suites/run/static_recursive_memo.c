// Memo tables in statics shared by recursive calls.
#include <stdio.h>
#include <string.h>
static long fib(int n) {
    static long memo[91];
    if (n < 2) return n;
    return memo[n] ? memo[n] : (memo[n] = fib(n - 1) + fib(n - 2));
}
static int grid(int r, int c) {
    static int m[20][20];
    if (!r || !c) return 1;
    int *p = &m[r][c];
    return *p ? *p : (*p = (grid(r - 1, c) + grid(r, c - 1)) % 10007);
}
static int collatz(unsigned long n) {
    static short memo[1000];
    if (n == 1) return 0;
    if (n < 1000 && memo[n]) return memo[n];
    int r = 1 + collatz(n & 1 ? 3 * n + 1 : n / 2);
    if (n < 1000) memo[n] = r;
    return r;
}
int main(void) {
    printf("%ld %ld\n", fib(90), fib(50));
    printf("%d %d\n", grid(5, 5), grid(19, 19));
    int best = 0, at = 0;
    for (int i = 1; i < 1000; i++) if (collatz(i) > best) { best = collatz(i); at = i; }
    printf("%d %d\n", at, best);
    return best & 0x7f;
}
