// Some failures come with a partial result that the caller must release.
// run: 4
// run: 9
// run: 0
#include <stdio.h>
#include <stdlib.h>

#define E_EMPTY (-1)
#define E_PARTIAL (-2)

static int sample(int n, int **out) {
    if (n == 0) return E_EMPTY;
    int kept = n > 5 ? 5 : n;
    int *p = malloc((size_t)kept * sizeof *p);
    if (p == NULL) return E_EMPTY;
    for (int i = 0; i < kept; i++) p[i] = i + 1;
    *out = p;
    return kept < n ? E_PARTIAL : 0;
}

int main(int argc, char **argv) {
    int *p = NULL;
    int e = sample(argc > 1 ? atoi(argv[1]) : 1, &p);
    if (e < 0) {
        fprintf(stderr, "sample: %d\n", e);
        return 1;
    }
    printf("%d\n", p[0]);
    free(p);
    return 0;
}
// run:
