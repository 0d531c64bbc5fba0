// Bubble, insertion, selection, shell and gnome sorts agree.
#include <stdio.h>
#include <string.h>
#define N 32
static void bubble(int *a, int n) {
    for (int s = 1; s;) {
        s = 0;
        for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) {
            int t = a[i];
            a[i] = a[i - 1];
            a[i - 1] = t;
            s = 1;
        }
    }
}
static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int k = a[i], j = i - 1;
        for (; j >= 0 && a[j] > k; j--) a[j + 1] = a[j];
        a[j + 1] = k;
    }
}
static void selection(int *a, int n) {
    for (int i = 0; i < n - 1; i++) {
        int m = i;
        for (int j = i + 1; j < n; j++) if (a[j] < a[m]) m = j;
        int t = a[i];
        a[i] = a[m];
        a[m] = t;
    }
}
static void shell(int *a, int n) {
    for (int g = n / 2; g; g /= 2) for (int i = g; i < n; i++) {
        int k = a[i], j = i;
        for (; j >= g && a[j - g] > k; j -= g) a[j] = a[j - g];
        a[j] = k;
    }
}
static void gnome(int *a, int n) {
    int i = 0;
    while (i < n) if (i == 0 || a[i - 1] <= a[i]) i++;
    else {
        int t = a[i];
        a[i] = a[i - 1];
        a[i - 1] = t;
        i--;
    }
}
int main(void) {
    void (*fs[])(int *, int) = {bubble, insertion, selection, shell, gnome};
    int src[N], ref[N], a[N];
    unsigned x = 99;
    for (int i = 0; i < N; i++) {
        x = x * 1664525u + 1013904223u;
        src[i] = (int)(x >> 16 & 0x3ff) - 512;
    }
    memcpy(ref, src, sizeof src);
    bubble(ref, N);
    for (int i = 0; i < N; i++) printf("%d ", ref[i]);
    puts("");
    for (int f = 0; f < 5; f++) {
        memcpy(a, src, sizeof a);
        fs[f](a, N);
        printf("%d", memcmp(a, ref, sizeof a) == 0);
        if (memcmp(a, ref, sizeof a)) return 1;
    }
    puts("");
    return 0;
}
