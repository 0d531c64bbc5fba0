// An event queue ordered by time; an event is handled and released.
// run: 5:a 2:b 9:c
// run: 3:stop 4:a 1:b
// run: 1:skip 2:a
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event {
    int time;
    char *label;
    struct event *next;
};

static struct event *queue;

static void schedule(int time, const char *label) {
    struct event *e = malloc(sizeof *e);
    if (!e) exit(3);
    e->time = time;
    e->label = strdup(label);
    struct event **p = &queue;
    while (*p && (*p)->time <= time) p = &(*p)->next;
    e->next = *p;
    *p = e;
}

static struct event *pop(void) {
    struct event *e = queue;
    if (e) queue = e->next;
    return e;
}

static void discard(struct event *e) {
    free(e->label);
    free(e);
}

static int run_all(void) {
    int handled = 0;
    struct event *e;
    while ((e = pop()) != NULL) {
        if (strcmp(e->label, "skip") == 0) continue;
        if (strcmp(e->label, "stop") == 0) {
            discard(e);
            break;
        }
        printf("%d %s\n", e->time, e->label);
        handled++;
        discard(e);
    }
    return handled;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *colon = strchr(argv[i], ':');
        if (colon) schedule(atoi(argv[i]), colon + 1);
    }
    printf("%d\n", run_all());
    for (struct event *e; (e = pop());) discard(e);
    return 0;
}
// run: nonsense
