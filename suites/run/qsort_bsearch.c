// qsort and bsearch with several element types.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec { char name[8]; int age; double w; };
static int ci(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int cs(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}
static int cr(const void *a, const void *b) {
    const struct rec *x = a, *y = b;
    return x->age != y->age ? x->age - y->age : strcmp(x->name, y->name);
}
static int ck(const void *k, const void *e) {
    return *(const int *)k - ((const struct rec *)e)->age;
}
static int cc(const void *a, const void *b) { return *(const char *)b - *(const char *)a; }
static int cll(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int a[] = {9, -3, 7, 0, 7, 100, -50, 2};
    qsort(a, 8, sizeof *a, ci);
    for (int i = 0; i < 8; i++) printf("%d ", a[i]);
    puts("");
    int k = 7;
    int *p = bsearch(&k, a, 8, sizeof *a, ci);
    printf("%d ", *p);
    k = 8;
    printf("%d\n", bsearch(&k, a, 8, sizeof *a, ci) == NULL);
    const char *s[] = {"pear", "apple", "fig", "banana"};
    qsort(s, 4, sizeof *s, cs);
    for (int i = 0; i < 4; i++) printf("%s ", s[i]);
    puts("");
    struct rec r[] = {{"zed", 30, 1.5}, {"amy", 25, 2.5}, {"bob", 30, 3.5}, {"cat", 41, 4.5}};
    qsort(r, 4, sizeof *r, cr);
    for (int i = 0; i < 4; i++) printf("%s/%d/%g ", r[i].name, r[i].age, r[i].w);
    puts("");
    k = 41;
    struct rec *q = bsearch(&k, r, 4, sizeof *r, ck);
    printf("%s\n", q->name);
    char t[] = "sorting";
    qsort(t, 7, 1, cc);
    puts(t);
    qsort(a, 0, sizeof *a, ci);
    qsort(a, 1, sizeof *a, ci);
    long long big[64];
    unsigned x = 5;
    for (int i = 0; i < 64; i++) { x = x * 1664525u + 1013904223u; big[i] = x; }
    qsort(big, 64, sizeof *big, cll);
    printf("%lld %lld\n", big[0], big[63]);
    return (int)(p - a);
}
