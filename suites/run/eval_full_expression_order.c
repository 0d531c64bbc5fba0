// Order that C does guarantee: declarators, initialiser lists across statements, loop parts, calls before bodies.
#include <stdio.h>
static char tr[128];
static int n;
static int t(char c, int v) { tr[n++] = c; return v; }
static void show(void) {
    tr[n] = 0;
    puts(tr);
    n = 0;
}
static int id(int x) { tr[n++] = '!'; return x; }
int main(void) {
    int a = t('a', 1), b = t('b', a + 1);
    show();
    for (int i = t('i', 0); t('c', i < 2); t('s', i++)) t('b', 0);
    show();
    int r = (t('1', 0), t('2', 5));
    show();
    r = id(t('p', 3));
    show();
    r = t('x', 0) ? t('y', 1) : t('z', 2);
    show();
    if (t('q', 0)) t('w', 1);
    else if (t('e', 1)) t('r', 1);
    show();
    switch (t('s', 2)) {
        case 1: t('1', 0);
        case 2: t('2', 0);
        case 3: t('3', 0);
        break;
        default: t('d', 0);
    }
    show();
    do t('D', 0);
    while (t('W', n < 4));
    show();
    r = t('l', 1) && t('m', 0) || t('n', 1);
    show();
    r = (t('A', 1), t('B', 2), id(t('C', 3)));
    show();
    int arr[2];
    arr[0] = t('f', 0);
    arr[1] = t('g', 0);
    show();
    return r + b;
}
