// A 4x4 and a 9x9 Sudoku by backtracking with bit masks.
#include <stdio.h>
static unsigned short row[9], col[9], box[9];
static char g[81];
static int nodes;
static int solve(void) {
    int best = -1, bc = 10;
    unsigned bm = 0;
    for (int i = 0; i < 81; i++) if (!g[i]) {
        unsigned m = 0x1ff & ~(row[i / 9] | col[i % 9] | box[i / 27 * 3 + i % 9 / 3]);
        int c = __builtin_popcount(m);
        if (c < bc) {
            bc = c;
            best = i;
            bm = m;
        }
    }
    nodes++;
    if (best < 0) return 1;
    int i = best;
    for (; bm; bm &= bm - 1) {
        unsigned b = bm & -bm;
        row[i / 9] |= b;
        col[i % 9] |= b;
        box[i / 27 * 3 + i % 9 / 3] |= b;
        g[i] = __builtin_ctz(b) + 1;
        if (solve()) return 1;
        row[i / 9] &= ~b;
        col[i % 9] &= ~b;
        box[i / 27 * 3 + i % 9 / 3] &= ~b;
        g[i] = 0;
    }
    return 0;
}
int main(void) {
    const char *p = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    for (int i = 0; i < 81; i++) if (p[i] != '.') {
        g[i] = p[i] - '0';
        unsigned b = 1u << (g[i] - 1);
        row[i / 9] |= b;
        col[i % 9] |= b;
        box[i / 27 * 3 + i % 9 / 3] |= b;
    }
    int ok = solve();
    for (int r = 0; r < 9; r++) {
        for (int c = 0; c < 9; c++) putchar('0' + g[r * 9 + c]);
        putchar('\n');
    }
    printf("%d %d\n", ok, nodes);
    return nodes & 0x7f;
}
