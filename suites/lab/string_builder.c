// Joins its arguments with a growing buffer.
// run: a b c
// run: a-long-argument-that-makes-it-grow another-long-argument-for-it
// run:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    char *text;
    size_t used, room;
};

static int reserve(struct builder *b, size_t more) {
    if (b->used + more + 1 <= b->room) return 0;
    size_t room = b->room ? b->room : 16;
    while (room < b->used + more + 1) room *= 2;
    char *text = realloc(b->text, room);
    if (text == NULL) return -1;
    b->text = text;
    b->room = room;
    return 0;
}

static int append(struct builder *b, const char *s) {
    size_t n = strlen(s);
    if (reserve(b, n) != 0) return -1;
    memcpy(b->text + b->used, s, n + 1);
    b->used += n;
    return 0;
}

static char *finish(struct builder *b) {
    char *result = b->text;
    b->text = NULL;
    b->used = b->room = 0;
    return result;
}

int main(int argc, char **argv) {
    struct builder b = {0};
    for (int i = 1; i < argc; i++) {
        if (i > 1 && append(&b, ", ") != 0) goto fail;
        if (append(&b, argv[i]) != 0) goto fail;
    }
    char *joined = finish(&b);
    puts(joined ? joined : "(nothing)");
    free(joined);
    return 0;
fail:
    free(b.text);
    return 1;
}
