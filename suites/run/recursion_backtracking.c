// N queens and permutations.
#include <stdio.h>
static int solve(int n, int row, unsigned cols, unsigned d1, unsigned d2) {
    if (row == n) return 1;
    int c = 0;
    for (unsigned free = ~(cols | d1 | d2) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned b = free & -free;
        c += solve(n, row + 1, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
    }
    return c;
}
static unsigned h; static int count;
static void perm(char *s, int k, int n) {
    if (k == n) {
        count++;
        for (int i = 0; i < n; i++) h = h * 31 + s[i];
        if (count % 7 == 1) puts(s);
        return;
    }
    for (int i = k; i < n; i++) {
        char t = s[k];
        s[k] = s[i];
        s[i] = t;
        perm(s, k + 1, n);
        t = s[k];
        s[k] = s[i];
        s[i] = t;
    }
}
static int change(int amt, const int *coin) {
    return amt == 0 ? 1 : amt < 0 || !*coin ? 0 : change(amt - *coin, coin) + change(amt, coin + 1);
}
int main(void) {
    for (int n = 1; n <= 7; n++) printf("%d ", solve(n, 0, 0, 0, 0)); puts("");
    char s[] = "abcd"; perm(s, 0, 4); printf("%d %u %s\n", count, h, s);
    printf("%d\n", change(50, (int[]){25, 10, 5, 1, 0}));
    return count;
}
