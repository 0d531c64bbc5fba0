// Big decimal numbers: add, multiply, factorial, power.
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
struct big { int n; unsigned char d[400]; };
static struct big from(unsigned long v) {
    struct big b = {0};
    do b.d[b.n++] = v % 10;
    while (v /= 10);
    return b;
}
static struct big add(const struct big *a, const struct big *b) {
    struct big r = {0};
    int c = 0;
    for (int i = 0; i < a->n || i < b->n || c; i++) {
        c += (i < a->n ? a->d[i] : 0) + (i < b->n ? b->d[i] : 0);
        r.d[r.n++] = c % 10;
        c /= 10;
    }
    return r;
}
static struct big mul(const struct big *a, const struct big *b) {
    struct big r = {0};
    for (int i = 0; i < a->n; i++) {
        int c = 0;
        for (int j = 0; j < b->n || c; j++) {
            c += r.d[i + j] + (j < b->n ? a->d[i] * b->d[j] : 0);
            r.d[i + j] = c % 10;
            c /= 10;
        }
    }
    r.n = a->n + b->n;
    while (r.n > 1 && !r.d[r.n - 1]) r.n--;
    return r;
}
static void show(const struct big *b) {
    for (int i = b->n; i--;) putchar('0' + b->d[i]);
    putchar('\n');
}
int main(void) {
    struct big f = from(1);
    for (int i = 2; i <= 50; i++) { struct big k = from(i); f = mul(&f, &k); }
    show(&f);
    struct big a = from(0), b = from(1);
    for (int i = 0; i < 300; i++) {
        struct big t = add(&a, &b);
        a = b;
        b = t;
    }
    show(&a);
    struct big p = from(1), two = from(2);
    for (int i = 0; i < 200; i++) p = mul(&p, &two);
    show(&p);
    int s = 0;
    for (int i = 0; i < p.n; i++) s += p.d[i];
    printf("%d\n", s);
    return s & 0xff;
}
