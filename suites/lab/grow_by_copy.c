// Grows an array by hand, with malloc and memcpy.
// run: 3
// run: 20
// run: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *items;
static int used, room;

static int grow(void) {
    int wanted = room + 8;
    int *bigger = malloc((size_t)wanted * sizeof *bigger);
    if (bigger == NULL) return 0;
    if (used > 0) memcpy(bigger, items, (size_t)used * sizeof *items);
    items = bigger;
    room = wanted;
    return 1;
}

static int add(int n) {
    if (used == room && !grow()) return 0;
    items[used++] = n;
    return 1;
}

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]);
    for (int i = 0; i < n; i++)
        if (!add(i * i)) break;
    printf("%d of %d, last %d\n", used, n, used ? items[used - 1] : -1);
    free(items);
    items = NULL;
    return 0;
}
