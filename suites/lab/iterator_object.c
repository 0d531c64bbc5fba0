// An iterator over the words of a text, made and closed by the caller.
// run: "one two three"
// run: "stop here"
// run: ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct words {
    char *text;
    char *state;
};

static struct words *words_open(const char *text) {
    struct words *w = malloc(sizeof *w);
    if (w == NULL) return NULL;
    w->text = strdup(text);
    w->state = NULL;
    if (w->text == NULL) {
        free(w);
        return NULL;
    }
    return w;
}

static const char *words_next(struct words *w) {
    return strtok_r(w->state ? NULL : w->text, " ", &w->state);
}

static void words_close(struct words *w) {
    free(w->text);
    free(w);
}

static int count_until_stop(const char *text) {
    struct words *w = words_open(text);
    if (w == NULL) return -1;
    int n = 0;
    for (const char *s; (s = words_next(w)) != NULL; n++)
        if (strcmp(s, "stop") == 0) return n;
    words_close(w);
    return n;
}

int main(int argc, char **argv) {
    printf("%d\n", count_until_stop(argv[argc - 1]));
    return 0;
}
