// Strings live in an arena of blocks and go away together.
// run: a bb ccc
// run: 012345678901234567890123456789012345678901234567890123456789 x y
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct block *next;
    size_t used;
    char bytes[64];
};

struct arena { struct block *blocks; };

static void *arena_take(struct arena *a, size_t n) {
    if (n > sizeof a->blocks->bytes) return NULL;
    struct block *b = a->blocks;
    if (b == NULL || b->used + n > sizeof b->bytes) {
        b = malloc(sizeof *b);
        if (b == NULL) return NULL;
        b->used = 0;
        b->next = a->blocks;
        a->blocks = b;
    }
    void *p = b->bytes + b->used;
    b->used += n;
    return p;
}

static void arena_drop(struct arena *a) {
    while (a->blocks) {
        struct block *b = a->blocks;
        a->blocks = b->next;
        free(b);
    }
}

int main(int argc, char **argv) {
    struct arena a = {NULL};
    for (int i = 1; i < argc; i++) {
        char *s = arena_take(&a, strlen(argv[i]) + 1);
        if (s) puts(strcpy(s, argv[i]));
    }
    arena_drop(&a);
    return 0;
}
// run: 0123456789012345678901234567890123456789012345678901234567890123456789
