// Breadth-first search over edges given as letter pairs.
// run: ab bc cd : ad
// run: ab : ba
// run: : ab
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge { int to; struct edge *next; };
static struct edge *edges[26];

static void connect(int from, int to) {
    struct edge *e = malloc(sizeof *e);
    if (e == NULL) exit(3);
    e->to = to;
    e->next = edges[from];
    edges[from] = e;
}

static int distance(int from, int to) {
    int *queue = malloc(26 * sizeof *queue);
    int *seen = calloc(26, sizeof *seen);
    if (queue == NULL || seen == NULL) {
        free(queue);
        free(seen);
        return -2;
    }
    int head = 0, tail = 0;
    queue[tail++] = from;
    seen[from] = 1;
    while (head < tail) {
        int at = queue[head++];
        if (at == to) {
            int d = seen[at] - 1;
            free(queue);
            return d;
        }
        for (struct edge *e = edges[at]; e; e = e->next) {
            if (seen[e->to]) continue;
            seen[e->to] = seen[at] + 1;
            queue[tail++] = e->to;
        }
    }
    free(queue);
    free(seen);
    return -1;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], ":"); i++) connect(argv[i][0] - 'a', argv[i][1] - 'a');
    const char *ask = argv[argc - 1];
    printf("%d\n", distance(ask[0] - 'a', ask[1] - 'a'));
    for (int i = 0; i < 26; i++) {
        while (edges[i]) {
            struct edge *e = edges[i];
            edges[i] = e->next;
            free(e);
        }
    }
    return 0;
}
