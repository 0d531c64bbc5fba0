// Objects are handed to a registry, which refuses names that it has.
// run: a b c
// run: a b a
// run: toolong
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
    char name[4];
    struct object *next;
};

struct registry {
    struct object *first;
    int count;
};

static int registry_add(struct registry *r, struct object *o) {
    for (struct object *p = r->first; p; p = p->next)
        if (strcmp(p->name, o->name) == 0) return -1;
    o->next = r->first;
    r->first = o;
    r->count++;
    return 0;
}

static struct object *object_new(const char *name) {
    if (strlen(name) > 3) return NULL;
    struct object *o = malloc(sizeof *o);
    if (o != NULL) strcpy(o->name, name);
    return o;
}

static void registry_clear(struct registry *r) {
    while (r->first) {
        struct object *o = r->first;
        r->first = o->next;
        free(o);
    }
    r->count = 0;
}

int main(int argc, char **argv) {
    struct registry r = {NULL, 0};
    for (int i = 1; i < argc; i++) {
        struct object *o = object_new(argv[i]);
        if (o == NULL) continue;
        if (registry_add(&r, o) != 0) fprintf(stderr, "%s is there already\n", o->name);
    }
    printf("%d\n", r.count);
    registry_clear(&r);
    return 0;
}
