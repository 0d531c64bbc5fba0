// A binary heap of jobs; jobs beyond the room are turned away.
// run: 5 1 4
// run: 1 2 3 4 5 6
// run:
#include <stdio.h>
#include <stdlib.h>

struct job { int priority; };

static struct job *heap[4];
static int used;

static void swap(int a, int b) {
    struct job *t = heap[a];
    heap[a] = heap[b];
    heap[b] = t;
}

static int insert(struct job *j) {
    if (used == 4) return 0;
    int i = used++;
    heap[i] = j;
    for (; i > 0 && heap[i]->priority < heap[(i - 1) / 2]->priority; i = (i - 1) / 2) swap(i, (i - 1) / 2);
    return 1;
}

static struct job *least(void) {
    if (used == 0) return NULL;
    struct job *j = heap[0];
    heap[0] = heap[--used];
    for (int i = 0, c; (c = 2 * i + 1) < used; i = c) {
        if (c + 1 < used && heap[c + 1]->priority < heap[c]->priority) c++;
        if (heap[i]->priority <= heap[c]->priority) break;
        swap(i, c);
    }
    return j;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct job *j = malloc(sizeof *j);
        if (j == NULL) break;
        j->priority = atoi(argv[i]);
        if (!insert(j)) free(j);
    }
    for (struct job *j; (j = least()) != NULL; free(j)) printf("%d\n", j->priority);
    return 0;
}
