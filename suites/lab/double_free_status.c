// A function that may release its argument says so by its result.
// run: 5
// run: -5
// run: 500
#include <stdio.h>
#include <stdlib.h>

static int store(int *cell, int value) {
    if (value < 0) {
        free(cell);
        return -1;
    }
    *cell = value;
    return value > 100 ? -2 : 0;
}

int main(int argc, char **argv) {
    int *cell = malloc(sizeof *cell);
    if (cell == NULL) return 3;
    int status = store(cell, atoi(argv[argc - 1]));
    if (status == -2) puts("large");
    if (status == 0) printf("%d\n", *cell);
    free(cell);
    return 0;
}
