// A helper cleans up after its own failure, and so does its caller.
// run: good
// run: bad
// run: long-name
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record { char *name; char *tag; };

static int fill(struct record *r, const char *name) {
    r->name = strdup(name);
    if (r->name == NULL) return -1;
    if (strcmp(name, "bad") == 0) {
        free(r->name);
        return -1;
    }
    r->tag = malloc(8);
    if (r->tag == NULL || strlen(name) > 6) return -1;
    strcpy(r->tag, "tag");
    return 0;
}

static struct record *record_new(const char *name) {
    struct record *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    if (fill(r, name) != 0) {
        free(r->name);
        free(r);
        return NULL;
    }
    return r;
}

int main(int argc, char **argv) {
    struct record *r = record_new(argv[argc - 1]);
    if (r == NULL) return 1;
    printf("%s %s\n", r->name, r->tag);
    free(r->name);
    free(r->tag);
    free(r);
    return 0;
}
