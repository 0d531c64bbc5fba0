// Parents own children; a child may own its parent back.
// run: weak
// run: strong
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct thing {
    int count;
    struct thing *owned;
    struct thing *back;
    int owns_back;
};

static struct thing *ref(struct thing *t) {
    if (t) t->count++;
    return t;
}

static void unref(struct thing *t) {
    if (t == NULL || --t->count > 0) return;
    unref(t->owned);
    if (t->owns_back) unref(t->back);
    free(t);
}

static struct thing *thing_new(void) {
    struct thing *t = calloc(1, sizeof *t);
    if (t == NULL) exit(3);
    t->count = 1;
    return t;
}

int main(int argc, char **argv) {
    struct thing *parent = thing_new();
    struct thing *child = thing_new();
    parent->owned = ref(child);
    if (strcmp(argv[argc - 1], "strong") == 0) {
        child->back = ref(parent);
        child->owns_back = 1;
    } else {
        child->back = parent;
    }
    unref(child);
    unref(parent);
    puts("done");
    return 0;
}
