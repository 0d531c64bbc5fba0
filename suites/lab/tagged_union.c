// Values of several types in one record; some of them own memory.
// run: i:5 s:abc l:2
// run: s:a s:b
// run: l:3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { NUMBER, STRING, LIST };

struct value {
    enum type type;
    union {
        int number;
        char *string;
        struct { int count; struct value *items; } list;
    };
};

static int value_set(struct value *v, const char *spec) {
    const char *text = spec + 2;
    switch (spec[0]) {
    case 's':
        v->type = STRING;
        v->string = strdup(text);
        return v->string ? 0 : -1;
    case 'l':
        v->type = LIST;
        v->list.count = atoi(text);
        v->list.items = calloc((size_t)v->list.count, sizeof *v->list.items);
        if (v->list.items == NULL) return -1;
        for (int i = 0; i < v->list.count; i++) value_set(&v->list.items[i], i ? "s:in" : "i:1");
        return 0;
    default:
        v->type = NUMBER;
        v->number = atoi(text);
        return 0;
    }
}

static void value_clear(struct value *v) {
    if (v->type == STRING) free(v->string);
    if (v->type == LIST) free(v->list.items);
    v->type = NUMBER;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct value v;
        if (value_set(&v, argv[i]) != 0) return 3;
        printf("type %d\n", v.type);
        value_clear(&v);
    }
    return 0;
}
