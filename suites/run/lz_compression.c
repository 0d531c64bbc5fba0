// A toy LZ77 with round trip on several inputs.
#include <stdio.h>
#include <string.h>
static int pack(const unsigned char *s, int n, unsigned char *o) {
    int k = 0;
    for (int i = 0; i < n;) {
        int bl = 0, bd = 0;
        for (int d = 1; d <= i && d < 256; d++) {
            int m = 0;
            while (i + m < n && m < 255 && s[i + m] == s[i + m - d]) m++;
            if (m > bl) { bl = m; bd = d; }
        }
        if (bl > 3) {
            o[k++] = 0;
            o[k++] = bd;
            o[k++] = bl;
            i += bl;
        } else {
            if (s[i] == 0) { o[k++] = 0; o[k++] = 0; } else o[k++] = s[i];
            i++;
        }
    }
    return k;
}
static int unpack(const unsigned char *s, int n, unsigned char *o) {
    int k = 0;
    for (int i = 0; i < n; i++) if (s[i]) o[k++] = s[i];
    else if (!s[++i]) o[k++] = 0;
    else {
        int d = s[i], m = s[++i];
        while (m--) { o[k] = o[k - d]; k++; }
    }
    return k;
}
int main(void) {
    unsigned char in[600], z[1300], out[600];
    const char *ts[] = {"abcabcabcabcabcabc", "no repeats!", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""};
    for (int i = 0; i < 4; i++) {
        int n = strlen(ts[i]), k = pack((const unsigned char *)ts[i], n, z), m = unpack(z, k, out);
        printf("%d -> %d %d\n", n, k, m == n && !memcmp(out, ts[i], n));
    }
    unsigned x = 1;
    for (int i = 0; i < 600; i++) { x = x * 1103515245u + 12345u; in[i] = x >> 28 & 3; }
    int k = pack(in, 600, z), m = unpack(z, k, out);
    printf("%d %d\n", k, m == 600 && !memcmp(in, out, 600));
    return m == 600 ? 0 : 1;
}
