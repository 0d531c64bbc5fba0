// Row-major multi-dimensional arrays and pointers to rows.
#include <stdio.h>
static int m[3][4][5];
static int sum3(int a[][4][5], int n) {
    int s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 5; k++) s += a[i][j][k];
    return s;
}
int main(void) {
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 5; k++) m[i][j][k] = i * 100 + j * 10 + k;
    printf("%d %d %zu %zu %zu\n", m[2][3][4], *(*(*(m + 1) + 2) + 3), sizeof m, sizeof m[0], sizeof m[0][0]);
    int (*p)[4][5] = m;
    p++;
    int (*q)[5] = *p;
    q += 3;
    int *r = *q;
    printf("%d %d %d\n", p[0][0][0], q[0][1], r[4]);
    printf("%td %td %td\n", &m[2] - &m[0], &m[1][3] - &m[1][0], &m[1][1][1] - &m[1][1][0]);
    printf("%d %d\n", sum3(m, 3), sum3(m + 1, 2));
    char names[][6] = {"ann", "bobby", "cy"};
    for (int i = 0; i < 3; i++) printf("%s %c|", names[i], names[i][1]);
    puts("");
    int t[2][3] = {{1, 2, 3}, {4, 5, 6}}, u[3][2];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) u[j][i] = t[i][j];
    for (int i = 0; i < 3; i++) printf("%d %d;", u[i][0], u[i][1]);
    puts("");
    printf("%d %d\n", 1[t][2], 2[1[t]]);
    return u[2][1];
}
