// A queue with two ends; popping an end gives the text to the caller.
// run: f:a b:c pf pb
// run: f:a f:b b:c pb
// run: pf
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct end { struct end *prev, *next; char *text; };
static struct end anchor = {&anchor, &anchor, NULL};

static void insert_after(struct end *where, const char *text) {
    struct end *e = malloc(sizeof *e);
    if (e == NULL) exit(3);
    e->text = strdup(text);
    e->prev = where;
    e->next = where->next;
    where->next->prev = e;
    where->next = e;
}

static char *take(struct end *e) {
    if (e == &anchor) return NULL;
    char *text = e->text;
    e->prev->next = e->next;
    e->next->prev = e->prev;
    free(e);
    return text;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *text = NULL;
        if (strncmp(argv[i], "f:", 2) == 0)
            insert_after(&anchor, argv[i] + 2);
        else if (strncmp(argv[i], "b:", 2) == 0)
            insert_after(anchor.prev, argv[i] + 2);
        else
            text = take(argv[i][1] == 'f' ? anchor.next : anchor.prev);
        if (text != NULL) printf("popped %s\n", text);
        free(text);
    }
    char *text;
    while ((text = take(anchor.next)) != NULL) free(text);
    return 0;
}
