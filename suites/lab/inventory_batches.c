// Stock arrives in batches; empty batches are dropped.
// run: 5 -3 -2
// run: 5 5 -7
// run: -1
#include <stdio.h>
#include <stdlib.h>

struct batch { int left; struct batch *later; };
static struct batch *oldest;

static int arrive(int n) {
    struct batch *b = malloc(sizeof *b);
    if (b == NULL) return -1;
    *b = (struct batch){n, NULL};
    struct batch **end = &oldest;
    while (*end) end = &(*end)->later;
    *end = b;
    return 0;
}

static int sell(int n) {
    while (n > 0 && oldest) {
        if (oldest->left > n) {
            oldest->left -= n;
            return 0;
        }
        n -= oldest->left;
        struct batch *empty = oldest;
        oldest = empty->later;
        free(empty);
    }
    return n;
}

int main(int argc, char **argv) {
    int short_of = 0;
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        if (n >= 0) arrive(n);
        else short_of += sell(-n);
    }
    printf("short of %d\n", short_of);
    sell(1 << 20);
    return 0;
}
