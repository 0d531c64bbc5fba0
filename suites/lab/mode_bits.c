// Bits of a mode decide which parts exist; all bits are tested twice.
// run: 0
// run: 1
// run: 2
// run: 7
#include <stdio.h>
#include <stdlib.h>

enum { INDEX = 1, CACHE = 2, TRACE = 4 };

struct store {
    unsigned mode;
    int *index;
    char *cache;
    long *trace;
};

static int open_store(struct store *s, unsigned mode) {
    s->mode = 0;
    if (mode & INDEX) {
        if ((s->index = malloc(16 * sizeof *s->index)) == NULL) return -1;
        s->mode |= INDEX;
    }
    if (mode & CACHE) {
        if ((s->cache = malloc(64)) == NULL) return -1;
        s->mode |= CACHE;
    }
    if (mode & TRACE) {
        if ((s->trace = malloc(4 * sizeof *s->trace)) == NULL) return -1;
        s->mode |= TRACE;
    }
    return 0;
}

static void close_store(struct store *s) {
    if (s->mode & INDEX) free(s->index);
    if (s->mode & CACHE) free(s->cache);
    if (s->mode & TRACE) free(s->trace);
}

int main(int argc, char **argv) {
    struct store s;
    int status = open_store(&s, (unsigned)atoi(argv[argc - 1]));
    printf("%d with %u\n", status, s.mode);
    close_store(&s);
    return -status;
}
