// && and || evaluate left to right and stop early.
#include <stdio.h>
static char log_[64]; static int n;
static int t(char c) { log_[n++] = c; return 1; } static int f(char c) { log_[n++] = c; return 0; }
static void show(int r) { log_[n] = 0; printf("%d %s\n", r, log_); n = 0; }
int main(void) {
    show(t('a') && t('b')); show(f('a') && t('b')); show(t('a') || t('b')); show(f('a') || f('b'));
    show(t('a') && f('b') || t('c') && t('d')); show(f('a') && t('b') || f('c') || t('d') && f('e'));
    show((f('a') || t('b')) && (t('c') || f('d'))); show(!t('a') || !f('b'));
    int i = 0; if (i++ && i++) i += 100; printf("%d\n", i); if (i++ || i++) i += 100; printf("%d\n", i);
    int *p = 0; printf("%d\n", p && *p); int z = 0; printf("%d\n", z != 0 && 10 / z > 1);
    int k = 5; int r = k > 3 && (k = 2) && k < 3; printf("%d %d\n", r, k);
    printf("%d %d\n", 5 && -3, 0.0 || 0); printf("%zu\n", sizeof(1.0 && 2L));
    char *s = "abc"; int c = 0; while (*s && (c = c * 10 + (*s++ - 'a' + 1))) ; printf("%d\n", c);
    return (t('x') && f('y')) + n;
}
