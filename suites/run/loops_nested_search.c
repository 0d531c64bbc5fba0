// Prime sieve, Pascal's triangle, Pythagorean triples, spiral.
#include <stdio.h>
int main(void) {
    for (int n = 2, found = 0; found < 15; n++) {
        int p = 1;
        for (int d = 2; d * d <= n; d++) if (n % d == 0) { p = 0; break; }
        if (!p) continue;
        printf("%d ", n);
        found++;
    }
    puts("");
    int row[12] = {1};
    for (int r = 0; r < 8; r++) {
        for (int c = r; c > 0; c--) row[c] += row[c - 1];
        for (int c = 0; c <= r; c++) printf("%d ", row[c]);
        puts("");
    }
    int m[5][5] = {0}, x = 0, y = 0, dx = 1, dy = 0;
    for (int k = 1; k <= 25; k++) {
        m[y][x] = k;
        int nx = x + dx, ny = y + dy;
        if (nx < 0 || nx > 4 || ny < 0 || ny > 4 || m[ny][nx]) {
            int t = dx;
            dx = -dy;
            dy = t;
            nx = x + dx;
            ny = y + dy;
        }
        x = nx;
        y = ny;
    }
    for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) printf("%3d", m[i][j]); puts(""); }
    int c = 0;
    for (int a = 1; a < 50; a++) for (int b = a; b < 50; b++) for (int h = b; h < 50; h++) {
        if (a * a + b * b < h * h) break;
        c += a * a + b * b == h * h;
    }
    printf("%d\n", c);
    return c;
}
