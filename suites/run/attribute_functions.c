// Attributes that must not change behaviour: pure, hot, cold, unused, deprecated, nonnull, section, visibility.
#include <stdio.h>
__attribute__((pure)) static int len(const char *s) { int n = 0; while (s[n]) n++; return n; }
__attribute__((hot, nonnull(1))) static int first(const int *p) { return *p; }
__attribute__((cold, noinline)) static void rare(int x) { printf("rare %d\n", x); }
__attribute__((unused)) static int never(void) { return 1; }
__attribute__((visibility("hidden"))) int hidden = 4; __attribute__((used)) static int used_ = 5;
__attribute__((warn_unused_result)) static int must(void) { return 6; }
__attribute__((format(printf, 1, 2))) static int say(const char *f, ...) { return f[0]; }
static int fall(int x) {
    int r = 0;
    switch (x) {
        case 1: r++;
        __attribute__((fallthrough));
        case 2: r += 10;
        break;
        default: r = -1;
    }
    return r;
}
struct __attribute__((may_alias)) any { int v; }; typedef int v4 __attribute__((vector_size(16)));
int main(void) {
    printf("%d %d\n", len("four"), first((int[]){9}));
    if (hidden > 3) rare(hidden);
    printf("%d %d %d\n", used_, must(), say("%d", 1));
    printf("%d %d %d\n", fall(1), fall(2), fall(3));
    int x = 3; struct any *a = (struct any *)&x; a->v++; printf("%d\n", x);
    v4 p = {1, 2, 3, 4}, q = {10, 20, 30, 40}, s = p + q * 2; printf("%d %d %d %d\n", s[0], s[1], s[2], s[3]);
    return s[3];
}
