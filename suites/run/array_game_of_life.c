// Conway's life on a torus, double-buffered.
#include <stdio.h>
#include <string.h>
enum { W = 12, H = 8 };
typedef unsigned char grid[H][W];
static void step(grid a, grid b) {
    for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dx || dy) n += a[(y + dy + H) % H][(x + dx + W) % W];
        b[y][x] = n == 3 || (n == 2 && a[y][x]);
    }
}
static unsigned hash(grid g) {
    unsigned h = 0;
    for (int i = 0; i < W * H; i++) h = h * 31 + g[i / W][i % W];
    return h;
}
int main(void) {
    grid g[2] = {0};
    const char *init[] = {".O.", "..O", "OOO"};
    for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) g[0][y][x] = init[y][x] == 'O';
    memcpy(g[1], g[0], sizeof g[0]);
    int cur = 0;
    for (int t = 0; t < 30; t++, cur ^= 1) {
        step(g[cur], g[!cur]);
        if (t % 10 == 0) printf("%d %u\n", t, hash(g[!cur]));
    }
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) putchar(g[cur][y][x] ? 'O' : '.');
        putchar('\n');
    }
    int alive = 0;
    for (int i = 0; i < W * H; i++) alive += g[cur][i / W][i % W];
    return alive;
}
