// Finds a way through a maze by recursion; the way is a list on success.
// run: S.#E S..E
// run: S#E
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct step { int x, y; struct step *rest; };

static struct step *walk(char **maze, int rows, int x, int y) {
    if (y < 0 || y >= rows || x < 0 || x >= (int)strlen(maze[y])) return NULL;
    if (maze[y][x] == '#') return NULL;
    struct step *s = malloc(sizeof *s);
    if (s == NULL) return NULL;
    *s = (struct step){x, y, NULL};
    if (maze[y][x] == 'E') return s;
    maze[y][x] = '#';
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    for (int i = 0; i < 4; i++) {
        s->rest = walk(maze, rows, x + dx[i], y + dy[i]);
        if (s->rest) return s;
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct step *way = walk(argv + 1, argc - 1, 0, 0);
    int length = 0;
    while (way) {
        struct step *rest = way->rest;
        free(way);
        way = rest;
        length++;
    }
    printf("%d\n", length);
    return length == 0;
}
