// Messages in a ring; a full ring refuses, an empty one has nothing.
// run: 2 1
// run: 5 5
// run: 0 1
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 3

struct ring {
    char *slots[SLOTS];
    int head, count;
};

static int put(struct ring *r, char *message) {
    if (r->count == SLOTS) return 0;
    r->slots[(r->head + r->count++) % SLOTS] = message;
    return 1;
}

static char *get(struct ring *r) {
    if (r->count == 0) return NULL;
    char *m = r->slots[r->head];
    r->head = (r->head + 1) % SLOTS;
    r->count--;
    return m;
}

int main(int argc, char **argv) {
    struct ring *r = calloc(1, sizeof *r);
    if (r == NULL || argc < 3) {
        free(r);
        return 2;
    }
    for (int i = 0; i < atoi(argv[1]); i++) {
        char *m = malloc(8);
        if (m == NULL) break;
        snprintf(m, 8, "m%d", i);
        while (!put(r, m)) free(get(r));
    }
    for (int i = 0; i < atoi(argv[2]); i++) {
        char *m = get(r);
        puts(m ? m : "-");
        free(m);
    }
    free(r);
    return 0;
}
// run:
