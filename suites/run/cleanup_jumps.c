// Cleanup on break, continue, goto out of scopes, and switch.
#include <stdio.h>
static int log_[64], n; static void add(int *p) { log_[n++] = *p; }
#define C __attribute__((cleanup(add)))
static void show(const char *t) {
    printf("%s:", t);
    for (int i = 0; i < n; i++) printf(" %d", log_[i]);
    puts("");
    n = 0;
}
static int nested(int k) {
    C int a = 1;
    for (int i = 0; i < 3; i++) {
        C int b = 10 + i;
        if (i == k) { C int c = 100; goto out; }
        if (k == 9) return i;
    }
    out: { C int d = 5; }
    return a;
}
int main(void) {
    for (int i = 0; i < 4; i++) {
        C int v = i;
        if (i == 1) continue;
        if (i == 3) break;
    }
    show("loop");
    nested(1);
    show("goto");
    nested(9);
    show("return");
    nested(7);
    show("full");
    int k = 0;
    again: { C int v = 20 + k; if (++k < 3) goto again; }
    show("backward");
    switch (2) {
        case 2: { C int s = 7; break; }
        default: n = 50;
    }
    show("switch");
    int w = 0;
    do {
        C int v = 30 + w;
        if (w == 1) continue;
        w += 0;
    } while (++w < 3);
    show("do");
    for (C int f = 77; f < 79; f++) ;
    show("for-init");
    int r = ({ C int e = 66; e + 1; });
    show("stmt-expr");
    return r;
}
