// A vector of numbers that doubles its room.
// run: 1 2 3 4 5 6 7 8 9
// run: 1
#include <stdio.h>
#include <stdlib.h>

struct vector {
    int *items;
    size_t used, room;
};

static int push(struct vector *v, int item) {
    if (v->used == v->room) {
        size_t room = v->room == 0 ? 4 : v->room * 2;
        int *items = realloc(v->items, room * sizeof *items);
        if (items == NULL) return -1;
        v->items = items;
        v->room = room;
    }
    v->items[v->used++] = item;
    return 0;
}

static long sum(const struct vector *v) {
    long total = 0;
    for (size_t i = 0; i < v->used; i++) total += v->items[i];
    return total;
}

int main(int argc, char **argv) {
    struct vector v = {NULL, 0, 0};
    int status = 0;
    for (int i = 1; i < argc; i++) {
        if (push(&v, atoi(argv[i])) != 0) {
            status = 1;
            break;
        }
    }
    printf("%ld\n", sum(&v));
    free(v.items);
    return status;
}
