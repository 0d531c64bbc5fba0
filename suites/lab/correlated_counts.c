// Allocation and release depend on different tests of one number.
// run: 0
// run: 1
// run: 7
#include <stdio.h>
#include <stdlib.h>

static int *table_for(int n) {
    if (n <= 0) return NULL;
    return calloc((size_t)n, sizeof(int));
}

static int fill(int n) {
    int *table = table_for(n);
    if (n > 0 && table == NULL) return -1;
    for (int i = 0; i < n; i++) table[i] = i;
    int last = n > 0 ? table[n - 1] : 0;
    if (n > 1) free(table);
    return last;
}

int main(int argc, char **argv) {
    printf("%d\n", fill(argc > 1 ? atoi(argv[1]) : 2));
    return 0;
}
// run:
