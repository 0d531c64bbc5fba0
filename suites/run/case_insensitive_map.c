// A sorted array map with binary search and insertion by memmove.
#include <stdio.h>
#include <string.h>
#include <strings.h>
struct kv { char k[12]; int v; }; static struct kv m[16]; static int n;
static int at(const char *k, int *found) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) >> 1, c = strcasecmp(m[mid].k, k);
        if (c == 0) { *found = 1; return mid; }
        if (c < 0) lo = mid + 1;
        else hi = mid;
    }
    *found = 0;
    return lo;
}
static void put(const char *k, int v) {
    int f, i = at(k, &f);
    if (!f) {
        memmove(m + i + 1, m + i, (n - i) * sizeof *m);
        n++;
        strcpy(m[i].k, k);
    }
    m[i].v = v;
}
static void del(const char *k) {
    int f, i = at(k, &f);
    if (f) { n--; memmove(m + i, m + i + 1, (n - i) * sizeof *m); }
}
int main(void) {
    const char *ks[] = {"Delta", "alpha", "Charlie", "bravo", "ALPHA", "echo", "CHARLIE"};
    for (int i = 0; i < 7; i++) put(ks[i], i);
    for (int i = 0; i < n; i++) printf("%s=%d ", m[i].k, m[i].v);
    puts("");
    del("BRAVO"); del("zulu"); for (int i = 0; i < n; i++) printf("%s=%d ", m[i].k, m[i].v); puts("");
    int f; at("delta", &f); return n * 10 + f;
}
