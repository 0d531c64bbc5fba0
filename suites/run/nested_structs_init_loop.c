// Re-initialised automatic aggregates in loops do not remember earlier contents.
#include <stdio.h>
struct in { int a[3]; char s[5]; }; struct out { struct in i[2]; struct in *p; int n; };
int main(void) {
    struct out keep[3];
    for (int k = 0; k < 3; k++) {
        struct out o = {.i[1].a = {k}, .n = k * 10};
        o.p = &o.i[1];
        o.p->a[2] += k + 1;
        o.i[0].s[k] = 'A' + k;
        printf("%d %d %d [%s] %d\n", o.i[1].a[0], o.i[1].a[2], o.i[0].a[0], o.i[0].s[0] ? o.i[0].s : "-", o.n);
        keep[k] = o;
        keep[k].p = &keep[k].i[1];
    }
    int s = 0;
    for (int k = 0; k < 3; k++) s = s * 7 + keep[k].p->a[2] + keep[k].i[0].s[k];
    printf("%d\n", s);
    for (int k = 0; k < 2; k++) {
        int a[4] = {[1] = k + 1};
        struct in z = {};
        a[3]++;
        z.a[1]++;
        printf("%d%d%d%d %d\n", a[0], a[1], a[2], a[3], z.a[1]);
    }
    return s & 0x7f;
}
