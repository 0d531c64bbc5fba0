// A long jump out of a deep recursion, repeatedly, with a search result.
#include <stdio.h>
#include <setjmp.h>
static jmp_buf found; static int hits, grid[5][5];
static void dfs(int y, int x, int want) {
    if (y < 0 || x < 0 || y > 4 || x > 4 || grid[y][x] < 0) return;
    int v = grid[y][x]; grid[y][x] = -1; hits++;
    if (v == want) longjmp(found, 1 + y * 5 + x);
    dfs(y, x + 1, want); dfs(y + 1, x, want); dfs(y, x - 1, want); dfs(y - 1, x, want);
}
static int look(int want) {
    for (int i = 0; i < 25; i++) grid[i / 5][i % 5] = i * 7 % 25;
    hits = 0;
    int r = setjmp(found);
    if (r) return r - 1;
    dfs(2, 2, want);
    return -1;
}
int main(void) {
    for (int w = 0; w < 30; w += 6) { int at = look(w); printf("%d at %d after %d\n", w, at, hits); }
    return look(24);
}
