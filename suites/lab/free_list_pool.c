// Released nodes go to a free list and are used again.
// run: 3 2
// run: 0 0
// run: 5 9
#include <stdio.h>
#include <stdlib.h>

struct node {
    int payload;
    struct node *next;
};

static struct node *spare;

static struct node *obtain(void) {
    struct node *n = spare;
    if (n) {
        spare = n->next;
        return n;
    }
    return malloc(sizeof *n);
}

static void recycle(struct node *n) {
    n->next = spare;
    spare = n;
}

static void release_spare(void) {
    while (spare != NULL) {
        struct node *n = spare;
        spare = n->next;
        free(n);
    }
}

static int round_of(int count) {
    struct node *used = NULL;
    int sum = 0;
    for (int i = 0; i < count; i++) {
        struct node *n = obtain();
        if (n == NULL) break;
        n->payload = i;
        n->next = used;
        used = n;
    }
    while (used) {
        struct node *n = used;
        used = n->next;
        sum += n->payload;
        recycle(n);
    }
    return sum;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("%d\n", round_of(atoi(argv[i])));
    release_spare();
    return 0;
}
