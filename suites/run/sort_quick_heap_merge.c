// Quicksort, heapsort, mergesort and radix sort on the same data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void swap(unsigned *a, unsigned *b) {
    unsigned t = *a;
    *a = *b;
    *b = t;
}
static void quick(unsigned *a, int n) {
    while (n > 1) {
        unsigned p = a[n / 2];
        int i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < p) i++;
            while (a[j] > p) j--;
            if (i <= j) swap(a + i++, a + j--);
        }
        quick(a, j + 1);
        a += i;
        n -= i;
    }
}
static void sift(unsigned *a, int i, int n) {
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && a[c + 1] > a[c]) c++;
        if (a[i] >= a[c]) break;
        swap(a + i, a + c);
    }
}
static void heap(unsigned *a, int n) {
    for (int i = n / 2; i--;) sift(a, i, n);
    while (n > 1) { swap(a, a + --n); sift(a, 0, n); }
}
static void merge(unsigned *a, int n) {
    if (n < 2) return;
    int m = n / 2;
    merge(a, m);
    merge(a + m, n - m);
    unsigned *t = malloc(n * sizeof *t);
    for (int i = 0, j = m, k = 0; k < n; k++) t[k] = j >= n || (i < m && a[i] <= a[j]) ? a[i++] : a[j++];
    memcpy(a, t, n * sizeof *t);
    free(t);
}
static void radix(unsigned *a, int n) {
    unsigned *t = malloc(n * sizeof *t);
    for (int s = 0; s < 32; s += 8) {
        int c[257] = {0};
        for (int i = 0; i < n; i++) c[(a[i] >> s & 255) + 1]++;
        for (int i = 0; i < 256; i++) c[i + 1] += c[i];
        for (int i = 0; i < n; i++) t[c[a[i] >> s & 255]++] = a[i];
        memcpy(a, t, n * sizeof *t);
    }
    free(t);
}
int main(void) {
    enum { N = 300 };
    static unsigned src[N], a[4][N];
    unsigned x = 3;
    for (int i = 0; i < N; i++) src[i] = x = x * 1103515245u + 12345u;
    void (*f[])(unsigned *, int) = {quick, heap, merge, radix};
    for (int k = 0; k < 4; k++) {
        memcpy(a[k], src, sizeof src);
        f[k](a[k], N);
        unsigned h = 0;
        for (int i = 0; i < N; i++) {
            h = h * 31 + a[k][i];
            if (i && a[k][i] < a[k][i - 1]) return 1;
        }
        printf("%u\n", h);
    }
    return memcmp(a[0], a[3], sizeof src) != 0;
}
