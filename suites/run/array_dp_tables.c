// Dynamic programming: LCS, edit distance, knapsack, coin change, LIS.
#include <stdio.h>
#include <string.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int lcs(const char *a, const char *b) {
    int n = strlen(a), m = strlen(b), t[n + 1][m + 1];
    for (int i = 0; i <= n; i++) for (int j = 0; j <= m; j++) t[i][j] = !i || !j ? 0 : a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : MAX(t[i - 1][j], t[i][j - 1]);
    return t[n][m];
}
static int edit(const char *a, const char *b) {
    int m = strlen(b), r[m + 1];
    for (int j = 0; j <= m; j++) r[j] = j;
    for (int i = 1; *a; i++, a++) {
        int d = r[0];
        r[0] = i;
        for (int j = 1; j <= m; j++) {
            int u = r[j];
            r[j] = MIN(MIN(r[j] + 1, r[j - 1] + 1), d + (*a != b[j - 1]));
            d = u;
        }
    }
    return r[m];
}
static int knap(const int *w, const int *v, int n, int cap) {
    int t[cap + 1];
    memset(t, 0, sizeof t);
    for (int i = 0; i < n; i++) for (int c = cap; c >= w[i]; c--) t[c] = MAX(t[c], t[c - w[i]] + v[i]);
    return t[cap];
}
static long ways(int amt) {
    long t[amt + 1];
    memset(t, 0, sizeof t);
    t[0] = 1;
    int cs[] = {1, 5, 10, 25, 50};
    for (int i = 0; i < 5; i++) for (int c = cs[i]; c <= amt; c++) t[c] += t[c - cs[i]];
    return t[amt];
}
int main(void) {
    printf("%d %d\n", lcs("AGGTAB", "GXTXAYB"), lcs("", "x"));
    printf("%d %d %d\n", edit("kitten", "sitting"), edit("", "abc"), edit("same", "same"));
    printf("%d\n", knap((int[]){1, 3, 4, 5}, (int[]){1, 4, 5, 7}, 4, 7));
    printf("%ld %ld\n", ways(100), ways(0));
    int a[] = {10, 9, 2, 5, 3, 7, 101, 18}, l[8], best = 0;
    for (int i = 0; i < 8; i++) {
        l[i] = 1;
        for (int j = 0; j < i; j++) if (a[j] < a[i]) l[i] = MAX(l[i], l[j] + 1);
        best = MAX(best, l[i]);
    }
    printf("%d\n", best);
    return (int)ways(50);
}
