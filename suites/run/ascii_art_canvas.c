// Drawing lines, circles and fills on a character canvas.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { W = 32, H = 14 };
static char cv[H][W + 1];
static void dot(int x, int y, char c) {
    if (x >= 0 && x < W && y >= 0 && y < H) cv[y][x] = c;
}
static void line(int x0, int y0, int x1, int y1, char c) {
    int dx = abs(x1 - x0), sx = x0 < x1 ? 1 : -1, dy = -abs(y1 - y0), sy = y0 < y1 ? 1 : -1, e = dx + dy;
    for (;;) {
        dot(x0, y0, c);
        if (x0 == x1 && y0 == y1) break;
        int e2 = 2 * e;
        if (e2 >= dy) { e += dy; x0 += sx; }
        if (e2 <= dx) { e += dx; y0 += sy; }
    }
}
static void circle(int cx, int cy, int r, char c) {
    for (int x = r, y = 0, e = 1 - r; x >= y; y++) {
        int px[] = {x, y, -y, -x, -x, -y, y, x}, py[] = {y, x, x, y, -y, -x, -x, -y};
        for (int i = 0; i < 8; i++) dot(cx + px[i], cy + py[i], c);
        if (e < 0) e += 2 * y + 3;
        else { x--; e += 2 * (y - x) + 3; }
    }
}
static int fill(int x, int y, char from, char to) {
    if (x < 0 || y < 0 || x >= W || y >= H || cv[y][x] != from) return 0;
    cv[y][x] = to;
    return 1 + fill(x + 1, y, from, to) + fill(x - 1, y, from, to) + fill(x, y + 1, from, to) + fill(x, y - 1, from, to);
}
int main(void) {
    for (int y = 0; y < H; y++) { memset(cv[y], '.', W); cv[y][W] = 0; }
    line(0, 0, 31, 13, '\\');
    line(0, 13, 31, 0, '/');
    circle(16, 6, 5, 'o');
    int n = fill(16, 3, '.', '+');
    for (int y = 0; y < H; y++) puts(cv[y]);
    printf("%d\n", n);
    return n;
}
