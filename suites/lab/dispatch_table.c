// Shapes are made and destroyed through tables of functions.
// run: circle
// run: polygon
// run: group
// run: cube
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape;
struct kind {
    const char *name;
    struct shape *(*make)(const struct kind *);
    void (*destroy)(struct shape *);
};
struct shape {
    const struct kind *kind;
    void *data;
};

static struct shape *plain_make(const struct kind *kind) {
    struct shape *s = calloc(1, sizeof *s);
    if (s) s->kind = kind;
    return s;
}

static struct shape *polygon_make(const struct kind *kind) {
    struct shape *s = plain_make(kind);
    if (s) s->data = calloc(6, sizeof(double));
    return s;
}

static void plain_destroy(struct shape *s) { free(s); }

static void polygon_destroy(struct shape *s) {
    free(s->data);
    free(s);
}

static const struct kind kinds[] = {
    {"circle", plain_make, plain_destroy},
    {"polygon", polygon_make, polygon_destroy},
    {"group", polygon_make, plain_destroy},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, argv[argc - 1]) != 0) continue;
        struct shape *s = kinds[i].make(&kinds[i]);
        if (s == NULL) return 3;
        printf("%s%s\n", s->kind->name, s->data ? " with data" : "");
        s->kind->destroy(s);
        return 0;
    }
    return 1;
}
