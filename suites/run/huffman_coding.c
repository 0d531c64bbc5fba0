// Huffman codes built with arrays; encoded length and round trip.
#include <stdio.h>
#include <string.h>
static int w[512], l[512], r[512], used[512], n; static char code[256][32];
static void walk(int i, char *buf, int d) {
    if (i < 256) {
        buf[d] = 0;
        strcpy(code[i], d ? buf : "0");
        return;
    }
    buf[d] = '0';
    walk(l[i], buf, d + 1);
    buf[d] = '1';
    walk(r[i], buf, d + 1);
}
static int least(void) {
    int b = -1;
    for (int i = 0; i < n; i++) if (w[i] && !used[i] && (b < 0 || w[i] < w[b])) b = i;
    used[b] = 1;
    return b;
}
int main(void) {
    const char *t = "she sells sea shells by the sea shore";
    for (const char *p = t; *p; p++) w[(unsigned char)*p]++;
    int k = 0;
    for (int i = 0; i < 256; i++) k += w[i] > 0;
    n = 256;
    while (--k) {
        int a = least(), b = least();
        l[n] = a;
        r[n] = b;
        w[n] = w[a] + w[b];
        n++;
    }
    char buf[64];
    int root = n - 1;
    walk(root, buf, 0);
    for (int i = 0; i < 256; i++) if (code[i][0]) printf("%c %s\n", i, code[i]);
    char bits[512] = "";
    for (const char *p = t; *p; p++) strcat(bits, code[(unsigned char)*p]);
    printf("%zu\n", strlen(bits));
    char out[64];
    int o = 0, at = root;
    for (char *p = bits; *p; p++) {
        at = *p == '0' ? l[at] : r[at];
        if (at < 256) { out[o++] = at; at = root; }
    }
    out[o] = 0;
    puts(out);
    return strcmp(out, t) != 0;
}
