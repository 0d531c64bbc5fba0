// Pointer tables: jagged arrays, argv-like vectors, sorting pointers.
#include <stdio.h>
#include <string.h>
int main(void) {
    int r0[] = {1}, r1[] = {2, 3}, r2[] = {4, 5, 6}; int *rows[] = {r0, r1, r2}; int len[] = {1, 2, 3};
    int s = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < len[i]; j++) s = s * 7 + rows[i][j];
    printf("%d\n", s);
    const char *w[] = {"pear", "fig", "apple", "kiwi", NULL}; int n = 0; while (w[n]) n++;
    for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) if (strcmp(w[i], w[j]) > 0) {
        const char *t = w[i];
        w[i] = w[j];
        w[j] = t;
    }
    for (const char **p = w; *p; ++p) printf("%s ", *p);
    puts("");
    char a = 'a', b = 'b', *pa = &a, *pb = &b, **tab[2] = {&pa, &pb};
    **tab[0] = 'z';
    *tab[1] = &a;
    printf("%c %c\n", a, *pb);
    int *(*pp)[3] = &rows; printf("%d %d\n", (*pp)[2][1], *(*pp)[1]);
    int **q = rows; q++; printf("%d %d %d\n", **q, q[1][2], *q[-1]);
    return n;
}
