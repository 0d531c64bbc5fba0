// Dutch flag, in-place unique, next permutation, Fisher-Yates with own generator, prefix sums.
#include <stdio.h>
static void flag(char *s) {
    int lo = 0, i = 0, hi = 0;
    while (s[hi]) hi++;
    hi--;
    while (i <= hi) {
        char c = s[i];
        if (c == 'a') { s[i++] = s[lo]; s[lo++] = c; } else if (c == 'c') {
            s[i] = s[hi];
            s[hi--] = c;
        } else i++;
    }
}
static int uniq(int *a, int n) {
    int k = 0;
    for (int i = 0; i < n; i++) if (!k || a[k - 1] != a[i]) a[k++] = a[i];
    return k;
}
static int next(char *s, int n) {
    int i = n - 2;
    while (i >= 0 && s[i] >= s[i + 1]) i--;
    if (i < 0) return 0;
    int j = n - 1;
    while (s[j] <= s[i]) j--;
    char t = s[i];
    s[i] = s[j];
    s[j] = t;
    for (int a = i + 1, b = n - 1; a < b; a++, b--) {
        t = s[a];
        s[a] = s[b];
        s[b] = t;
    }
    return 1;
}
int main(void) {
    char f[] = "cbacabbcaacb";
    flag(f);
    puts(f);
    int a[] = {1, 1, 2, 3, 3, 3, 4, 1};
    int k = uniq(a, 8);
    for (int i = 0; i < k; i++) printf("%d ", a[i]);
    puts("");
    char p[] = "aabc";
    int n = 1;
    while (next(p, 4)) n++;
    printf("%d %s\n", n, p);
    int d[10];
    unsigned x = 9;
    for (int i = 0; i < 10; i++) d[i] = i;
    for (int i = 9; i > 0; i--) {
        x = x * 1664525u + 1013904223u;
        int j = (x >> 16) % (i + 1), t = d[i];
        d[i] = d[j];
        d[j] = t;
    }
    for (int i = 0; i < 10; i++) printf("%d", d[i]);
    puts("");
    int s[10] = {d[0]};
    for (int i = 1; i < 10; i++) s[i] = s[i - 1] + d[i];
    printf("%d\n", s[9] - s[4]);
    return n;
}
