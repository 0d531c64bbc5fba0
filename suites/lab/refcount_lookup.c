// A cache whose lookups add a reference for the caller.
// run: one two one
// run: none
// run: one
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    int references;
    char *text;
};

static struct value *cache[2];

static struct value *value_new(const char *text) {
    struct value *v = malloc(sizeof *v);
    if (v == NULL) exit(3);
    v->references = 1;
    v->text = strdup(text);
    return v;
}

static void put(struct value *v) {
    if (--v->references > 0) return;
    free(v->text);
    free(v);
}

static struct value *get(const char *text) {
    for (int i = 0; i < 2; i++) {
        if (cache[i] && cache[i]->text && strcmp(cache[i]->text, text) == 0) {
            cache[i]->references++;
            return cache[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    cache[0] = value_new("one");
    cache[1] = value_new("two");
    int hits = 0;
    for (int i = 1; i < argc; i++) {
        struct value *v = get(argv[i]);
        if (v == NULL) continue;
        hits++;
        if (v == cache[1]) printf("second\n");
        else put(v);
    }
    printf("%d hits\n", hits);
    for (int i = 0; i < 2; i++) {
        put(cache[i]);
        cache[i] = NULL;
    }
    return 0;
}
