// A tree with any number of children, as first child and next sibling.
// run: 3
// run: 1
// run: 0
#include <stdio.h>
#include <stdlib.h>

struct t { int depth; char *note; struct t *child, *next; };

static struct t *grow(int depth) {
    if (depth == 0) return NULL;
    struct t *t = malloc(sizeof *t);
    if (t == NULL) return NULL;
    t->depth = depth;
    t->note = depth == 1 ? malloc(10) : NULL;
    t->child = grow(depth - 1);
    t->next = depth > 1 ? grow(depth - 1) : NULL;
    return t;
}

static int fell(struct t *t) {
    if (t == NULL) return 0;
    int n = fell(t->child) + fell(t->next);
    if (t->depth > 1) free(t->note);
    free(t);
    return n + 1;
}

int main(int argc, char **argv) {
    printf("%d\n", fell(grow(argc > 1 ? atoi(argv[1]) : 2)));
    return 0;
}
// run:
