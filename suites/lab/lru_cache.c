// A cache of three entries; the oldest makes room for the newest.
// run: a b c d a
// run: a a b
// run: a b c d e f
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 3

struct entry {
    char *key;
    int *hits;
    struct entry *older;
};

static struct entry *newest;
static int count;

static void entry_free(struct entry *e) {
    free(e->key);
    free(e);
}

static void evict(void) {
    struct entry **p = &newest;
    while ((*p)->older) p = &(*p)->older;
    entry_free(*p);
    *p = NULL;
    count--;
}

static struct entry *touch(const char *key) {
    for (struct entry **p = &newest; *p; p = &(*p)->older) {
        if (strcmp((*p)->key, key)) continue;
        struct entry *e = *p;
        *p = e->older;
        e->older = newest;
        return newest = e;
    }
    if (count == ROOM) evict();
    struct entry *e = calloc(1, sizeof *e);
    if (e == NULL) exit(3);
    e->key = strdup(key);
    e->hits = calloc(1, sizeof *e->hits);
    if (e->key == NULL || e->hits == NULL) exit(3);
    e->older = newest;
    count++;
    return newest = e;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) printf("%s %d\n", argv[i], ++*touch(argv[i])->hits);
    while (newest) {
        struct entry *e = newest;
        newest = e->older;
        free(e->hits);
        entry_free(e);
    }
    return 0;
}
