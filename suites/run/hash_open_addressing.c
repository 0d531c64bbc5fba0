// Open addressing with tombstones on static storage.
#include <stdio.h>
#include <string.h>
enum { CAP = 64, EMPTY = -1, DEAD = -2 };
static int keys[CAP], vals[CAP], used;
static unsigned slot(int k) { return (unsigned)k * 2654435761u >> 26; }
static void init(void) {
    for (int i = 0; i < CAP; i++) keys[i] = EMPTY;
}
static void put(int k, int v) {
    unsigned i = slot(k);
    int free_ = -1;
    for (int n = 0; n < CAP; n++, i = (i + 1) % CAP) {
        if (keys[i] == k) { vals[i] = v; return; }
        if (keys[i] == DEAD && free_ < 0) free_ = i;
        if (keys[i] == EMPTY) { if (free_ < 0) free_ = i; break; }
    }
    keys[free_] = k;
    vals[free_] = v;
    used++;
}
static int get(int k, int *v) {
    unsigned i = slot(k);
    for (int n = 0; n < CAP && keys[i] != EMPTY; n++, i = (i + 1) % CAP) if (keys[i] == k) return *v = vals[i], 1;
    return 0;
}
static int del(int k) {
    unsigned i = slot(k);
    for (int n = 0; n < CAP && keys[i] != EMPTY; n++, i = (i + 1) % CAP) if (keys[i] == k) {
        keys[i] = DEAD;
        used--;
        return 1;
    }
    return 0;
}
int main(void) {
    init();
    for (int i = 0; i < 50; i++) put(i * 13 % 97, i);
    printf("%d\n", used);
    int v = 0, hit = 0, s = 0;
    for (int k = 0; k < 97; k++) if (get(k, &v)) { hit++; s += k * v; }
    printf("%d %d\n", hit, s);
    for (int k = 0; k < 97; k += 2) del(k);
    printf("%d\n", used);
    for (int k = 0; k < 20; k++) put(k, k * k);
    hit = s = 0;
    for (int k = 0; k < 97; k++) if (get(k, &v)) { hit++; s += v; }
    printf("%d %d %d\n", hit, s, used);
    return used;
}
