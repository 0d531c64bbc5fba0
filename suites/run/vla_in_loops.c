// A VLA in a loop body is a new object each time, left through break, continue and goto.
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned h = 0;
    for (int i = 1; i < 2000; i++) {
        char b[i % 97 + 1];
        memset(b, i, sizeof b);
        h = h * 31 + (unsigned char)b[sizeof b - 1] + sizeof b;
        if (i % 3 == 0) continue;
        h ^= (unsigned char)b[0];
    }
    printf("%u\n", h);
    int n = 1; while (1) { int v[n]; v[n - 1] = n; if (v[n - 1] > 40) break; n *= 3; }
    printf("%d\n", n);
    int k = 0;
again: { int v[k + 1]; for (int i = 0; i <= k; i++) v[i] = i; h += v[k]; if (++k < 500) goto again; }
    printf("%u %d\n", h, k);
    int total = 0;
    for (int i = 1; i <= 5; i++) {
        short a[i];
        total += sizeof a;
        for (int j = 1; j <= 3; j++) { long b[i][j]; total += sizeof b; }
    }
    printf("%d\n", total);
    return total & 0x7f;
}
