// Matrices read with scanf, multiplied, printed with widths.
#include <stdio.h>
int main(void) {
    int n, m, k;
    if (scanf("%d %d %d", &n, &m, &k) != 3) return 1;
    int a[n][m], b[m][k];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (scanf("%d", &a[i][j]) != 1) return 2;
    for (int i = 0; i < m; i++) for (int j = 0; j < k; j++) if (scanf("%d", &b[i][j]) != 1) return 3;
    int tr = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++) {
            int s = 0;
            for (int x = 0; x < m; x++) s += a[i][x] * b[x][j];
            printf("%6d", s);
            if (i == j) tr += s;
        }
        puts("");
    }
    char rest[16];
    int r = scanf("%15s", rest);
    printf("%d %s\n", r, rest);
    return tr & 0x7f;
}
