// A copy of a record shares its text with the original.
// run: share
// run: deep
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doc { char *text; int pages; };

static struct doc *doc_new(const char *text) {
    struct doc *d = malloc(sizeof *d);
    if (d == NULL) exit(3);
    d->text = strdup(text);
    d->pages = 1;
    return d;
}

static struct doc *doc_copy(const struct doc *from, int deep) {
    struct doc *d = malloc(sizeof *d);
    if (d == NULL) exit(3);
    *d = *from;
    if (deep) d->text = strdup(from->text);
    return d;
}

static void doc_free(struct doc *d) {
    free(d->text);
    free(d);
}

int main(int argc, char **argv) {
    struct doc *a = doc_new("text");
    struct doc *b = doc_copy(a, strcmp(argv[argc - 1], "deep") == 0);
    printf("%d\n", a->pages + b->pages);
    doc_free(a);
    doc_free(b);
    return 0;
}
