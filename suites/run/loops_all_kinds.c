// for, while, do; empty bodies; break and continue at all levels.
#include <stdio.h>
int main(void) {
    int s = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 3) continue;
        if (i == 8) break;
        s += i;
    }
    printf("%d\n", s);
    int i = 10;
    while (i) { if (--i % 2) continue; s += i; }
    printf("%d\n", s);
    do {
        s--;
        if (s % 5 == 0) continue;
        if (s < 20) break;
    } while (s > 0);
    printf("%d\n", s);
    for (;;) { if (++i > 5) break; }
    printf("%d\n", i);
    int n = 0;
    for (int a = 0; a < 5; a++) {
        for (int b = 0; b < 5; b++) {
            if (b > a) break;
            if ((a + b) % 2) continue;
            n += a * b + 1;
        }
    }
    printf("%d\n", n);
    do n++;
    while (0);
    printf("%d\n", n);
    int k = 0;
    while (k++ < 5) ;
    printf("%d\n", k);
    for (k = 0; k < 3; k++) ;
    printf("%d\n", k);
    for (unsigned char c = 250; c >= 250; c++) printf("%d ", c);
    puts("");
    for (int x = 1, y = 100; x < y; x *= 2, y -= 10) printf("%d/%d ", x, y);
    puts("");
    int j = 5;
    do {
        int j2 = j * 2;
        if (j2 == 6) continue;
        printf("%d ", j2);
    } while (j-- > 1);
    puts("");
    for (char *p = "loop"; *p; p++) putchar(*p - 32);
    puts("");
    while (1) {
        do { goto out; } while (1);
    }
    out: return s;
}
