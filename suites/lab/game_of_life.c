// Generations on a board; each generation is a new board.
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>

#define SIDE 6

typedef unsigned char board[SIDE][SIDE];

static int neighbours(board *b, int x, int y) {
    int n = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (i || j) n += (*b)[(x + i + SIDE) % SIDE][(y + j + SIDE) % SIDE];
    return n;
}

static board *next(board *now) {
    board *b = malloc(sizeof *b);
    if (b == NULL) return NULL;
    for (int x = 0; x < SIDE; x++)
        for (int y = 0; y < SIDE; y++) {
            int n = neighbours(now, x, y);
            (*b)[x][y] = n == 3 || (n == 2 && (*now)[x][y]);
        }
    return b;
}

int main(int argc, char **argv) {
    board *b = calloc(1, sizeof *b);
    if (b == NULL) return 3;
    (*b)[2][1] = (*b)[2][2] = (*b)[2][3] = 1;
    for (int i = 0; i < atoi(argv[argc - 1]); i++) {
        board *after = next(b);
        if (after == NULL) break;
        if (i > 0) free(b);
        b = after;
    }
    printf("%d\n", (*b)[1][2]);
    free(b);
    return 0;
}
