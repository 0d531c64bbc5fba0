// Buffers shared by reference counts.
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    int references;
    char bytes[16];
};

static struct buffer *buffer_new(void) {
    struct buffer *b = malloc(sizeof *b);
    if (b == NULL) exit(3);
    b->references = 1;
    b->bytes[0] = 'x';
    return b;
}

static struct buffer *retain(struct buffer *b) {
    b->references++;
    return b;
}

static void release(struct buffer *b) {
    if (--b->references == 0) free(b);
}

struct view {
    struct buffer *on;
    int from;
};

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    struct buffer *b = buffer_new();
    struct view views[8];
    for (int i = 0; i < n && i < 8; i++) views[i] = (struct view){retain(b), i};
    release(b);
    for (int i = 0; i < n && i < 8; i++) {
        printf("%d %c\n", views[i].from, views[i].on->bytes[0]);
        release(views[i].on);
    }
    return 0;
}
// run:
