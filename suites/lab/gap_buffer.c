// A text buffer with a gap at the cursor.
// run: hello world
// run: "this text is longer than the first gap"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gap {
    char *text;
    size_t room, before, after;
};

static int widen(struct gap *g) {
    size_t room = g->room * 2;
    char *text = malloc(room);
    if (text == NULL) return -1;
    memcpy(text, g->text, g->before);
    memcpy(text + room - g->after, g->text + g->room - g->after, g->after);
    free(g->text);
    g->text = text;
    g->room = room;
    return 0;
}

static int type(struct gap *g, char c) {
    if (g->before + g->after == g->room && widen(g) != 0) return -1;
    g->text[g->before++] = c;
    return 0;
}

static void left(struct gap *g) {
    if (g->before == 0) return;
    g->text[g->room - ++g->after] = g->text[--g->before];
}

int main(int argc, char **argv) {
    struct gap g = {malloc(8), 8, 0, 0};
    if (g.text == NULL) return 3;
    for (int i = 1; i < argc; i++) {
        for (const char *p = argv[i]; *p; p++)
            if (type(&g, *p) != 0) goto done;
        left(&g);
    }
done:
    printf("%.*s|%zu\n", (int)g.before, g.text, g.after);
    free(g.text);
    return 0;
}
// run: "" x
