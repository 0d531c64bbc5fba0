// A buffer released at the end of each turn, and one that is not.
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>

static void drop(void *p) { free(*(void **)p); }

static long work(int turns) {
    __attribute__((cleanup(drop))) long *total = calloc(1, sizeof *total);
    if (total == NULL) return -1;
    for (int i = 0; i < turns; i++) {
        __attribute__((cleanup(drop))) int *scratch = malloc(4 * sizeof *scratch);
        if (scratch == NULL) return -1;
        scratch[0] = i;
        if (i == 1) continue;
        *total += scratch[0];
        scratch = malloc(sizeof *scratch);
    }
    return *total;
}

int main(int argc, char **argv) {
    printf("%ld\n", work(argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}
// run:
