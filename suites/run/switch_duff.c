// Duff's device: case labels inside a loop.
#include <stdio.h>
#include <string.h>
static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8; if (count <= 0) return;
    switch (count % 8) {
        case 0: do {
            *to++ = *from++;
            case 7: *to++ = *from++;
            case 6: *to++ = *from++;
            case 5: *to++ = *from++;
            case 4: *to++ = *from++;
            case 3: *to++ = *from++;
            case 2: *to++ = *from++;
            case 1: *to++ = *from++;
        } while (--n > 0);
    }
}
static int sum(const int *a, int n) {
    int s = 0, i = 0;
    switch (n & 3) {
        while (i < n) {
            case 0: if (i >= n) break;
            s += a[i++];
            case 3: s += a[i++];
            case 2: s += a[i++];
            case 1: s += a[i++];
        }
    }
    return s;
}
int main(void) {
    char src[] = "abcdefghijklmnopqrstuvwxyz", dst[32]; unsigned h = 0;
    for (int k = 0; k <= 26; k++) {
        memset(dst, '.', sizeof dst);
        copy(dst, src, k);
        dst[27] = 0;
        if (k % 9 == 0) puts(dst);
        for (int i = 0; i < 27; i++) h = h * 31 + dst[i];
    }
    printf("%u\n", h);
    int a[12];
    for (int i = 0; i < 12; i++) a[i] = i + 1;
    for (int n = 0; n <= 12; n++) printf("%d ", sum(a, n));
    puts("");
    return h % 100;
}
