// Rotation by reversal and by juggling, binary search, kadane, majority.
#include <stdio.h>
#include <string.h>
static void rev(int *a, int i, int j) {
    for (; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}
static void rotl(int *a, int n, int k) {
    k %= n;
    if (!k) return;
    rev(a, 0, k - 1);
    rev(a, k, n - 1);
    rev(a, 0, n - 1);
}
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static void juggle(int *a, int n, int k) {
    for (int s = 0, g = gcd(n, k); s < g; s++) {
        int t = a[s], i = s;
        for (;;) {
            int j = (i + k) % n;
            if (j == s) break;
            a[i] = a[j];
            i = j;
        }
        a[i] = t;
    }
}
static int lower(const int *a, int n, int x) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (a[m] < x) lo = m + 1;
        else hi = m;
    }
    return lo;
}
static int kadane(const int *a, int n) {
    int best = a[0], cur = 0;
    while (n--) {
        cur = cur + *a > *a ? cur + *a : *a;
        if (cur > best) best = cur;
        a++;
    }
    return best;
}
int main(void) {
    for (int k = 0; k < 9; k += 2) {
        int a[9], b[9];
        for (int i = 0; i < 9; i++) a[i] = b[i] = i;
        rotl(a, 9, k);
        juggle(b, 9, k);
        printf("%d %d|", a[0], memcmp(a, b, sizeof a));
    }
    puts("");
    int s[] = {1, 3, 3, 5, 8, 13, 21};
    for (int x = 0; x < 24; x += 4) printf("%d ", lower(s, 7, x));
    puts("");
    int m[] = {-2, 1, -3, 4, -1, 2, 1, -5, 4};
    printf("%d\n", kadane(m, 9));
    int v[] = {2, 2, 1, 1, 2, 3, 2}, c = 0, cand = 0;
    for (int i = 0; i < 7; i++) { if (!c) cand = v[i]; c += v[i] == cand ? 1 : -1; }
    return cand * 10 + lower(s, 7, 13);
}
