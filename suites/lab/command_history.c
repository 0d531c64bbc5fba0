// Keeps the last three commands in a ring.
// run: < "ls\ncd\n"
// run: < "a\nb\nc\nd\ne\n"
// run: < "a\n!\nb\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 3

static char *ring[KEPT];
static unsigned next_slot;

static void remember(const char *line) {
    char *copy = strdup(line);
    if (copy == NULL) return;
    ring[next_slot % KEPT] = copy;
    next_slot++;
}

static void show(void) {
    for (unsigned i = 0; i < KEPT; i++)
        if (ring[i] != NULL) printf("%u %s\n", i, ring[i]);
}

static void forget(void) {
    for (unsigned i = 0; i < KEPT; i++) {
        free(ring[i]);
        ring[i] = NULL;
    }
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "!") == 0) {
            forget();
            continue;
        }
        remember(line);
    }
    show();
    forget();
    return 0;
}
