// A flag tells whether the buffer is still owned.
// run: 0
// run: 1
// run: 2
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct holder {
    char *buffer;
    bool owned;
};

static void give_up(struct holder *h) {
    if (h->owned) free(h->buffer);
    h->owned = false;
}

static void reset(struct holder *h) {
    give_up(h);
    h->buffer = malloc(8);
    h->owned = h->buffer != NULL;
}

int main(int argc, char **argv) {
    struct holder h = {NULL, false};
    int times = atoi(argv[argc - 1]);
    for (int i = 0; i < times; i++) reset(&h);
    if (times > 1) give_up(&h);
    give_up(&h);
    printf("%d\n", times);
    return 0;
}
