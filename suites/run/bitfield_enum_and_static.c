// Enumerated bit-fields, static initialisers and constants in bit-fields.
#include <stdio.h>
enum color { RED, GREEN, BLUE, NONE = 7 };
struct cell { enum color fg : 3; enum color bg : 3; unsigned bold : 1; unsigned n : 9; };
static struct cell grid[3] = {{RED, BLUE, 1, 511}, {.bg = NONE, .n = 300}, {GREEN}};
static const struct cell k = {.fg = BLUE, .n = 1000 & 511};
static const char *name(enum color c) {
    switch (c) {
        case RED: return "red";
        case GREEN: return "green";
        case BLUE: return "blue";
        case NONE: return "none";
    }
    return "?";
}
int main(void) {
    for (int i = 0; i < 3; i++) printf("%s on %s %u %u\n", name(grid[i].fg), name(grid[i].bg), grid[i].bold, grid[i].n);
    printf("%s %u %zu\n", name(k.fg), k.n, sizeof k);
    grid[1] = k; grid[1].bg = grid[0].bg; grid[0].fg = grid[1].fg;
    switch (grid[0].fg) { case BLUE: puts("blue!"); break; default: puts("other"); }
    for (int i = 0; i < 3; i++) printf("%s on %s %u %u\n", name(grid[i].fg), name(grid[i].bg), grid[i].bold, grid[i].n);
    return grid[1].n % 200;
}
