// Functions returning pointers to statics, parameters, elements and functions.
#include <stdio.h>
#include <string.h>
static int *maxp(int *a, int n) {
    int *m = a;
    for (int *p = a; p < a + n; p++) if (*p > *m) m = p;
    return m;
}
static const char *skip(const char *s, const char *set) { return s + strspn(s, set); }
static char *last(char *s) { return *s ? s + strlen(s) - 1 : s; }
static int **cell(int **t, int i) { return &t[i]; }
static int (*row(int (*m)[3], int i))[3] { return m + i; }
typedef struct { int k, v; } kv;
static kv *find(kv *a, kv *e, int k) {
    for (; a < e; a++) if (a->k == k) return a;
    return 0;
}
int main(void) {
    int a[] = {3, 9, 4, 9, 1};
    *maxp(a, 5) = 0;
    printf("%d %td\n", *maxp(a, 5), maxp(a, 5) - a);
    puts(skip("  \tx y", " \t"));
    char s[] = "word";
    *last(s) = 'D';
    puts(s);
    int x = 1, y = 2, *t[2] = {&x, &y};
    **cell(t, 1) = 20;
    *cell(t, 0) = &y;
    printf("%d %d\n", y, *t[0]);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    (*row(m, 1))[2] = 60;
    printf("%d %d\n", m[1][2], **row(m, 1));
    kv tab[] = {{1, 10}, {5, 50}, {7, 70}};
    kv *e = tab + 3;
    find(tab, e, 5)->v++;
    printf("%d %d\n", tab[1].v, find(tab, e, 6) == 0);
    return find(tab, e, 7)->v;
}
