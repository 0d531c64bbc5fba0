// An elevator by a state machine with bit sets of requests.
#include <stdio.h>
enum dir { UP = 1, DOWN = -1, IDLE = 0 };
struct lift { int floor; enum dir dir; unsigned req; int moved, opened; };
static unsigned above(int f) { return ~0u << (f + 1); }
static void step(struct lift *l) {
    if (l->req & 1u << l->floor) {
        l->req &= ~(1u << l->floor);
        l->opened++;
        printf("[%d]", l->floor);
        return;
    }
    switch (l->dir) {
        case IDLE: l->dir = l->req & above(l->floor) ? UP : l->req ? DOWN : IDLE;
        return;
        case UP: if (!(l->req & above(l->floor))) {
            l->dir = l->req ? DOWN : IDLE;
            return;
        }
        break;
        case DOWN: if (!(l->req & ~above(l->floor))) {
            l->dir = l->req ? UP : IDLE;
            return;
        }
        break;
    }
    l->floor += l->dir;
    l->moved++;
    printf("%c", l->dir == UP ? '^' : 'v');
}
int main(void) {
    struct lift l = {3, IDLE, 0};
    const char *calls = "7..1.9...3..0....5";
    for (int t = 0; t < 60; t++) {
        if (t < 18 && calls[t] != '.') l.req |= 1u << (calls[t] - '0');
        step(&l);
    }
    printf("\n%d %d %d %d\n", l.floor, l.moved, l.opened, l.dir);
    return l.moved;
}
