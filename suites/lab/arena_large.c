// An arena that serves large requests with blocks of their own.
// run: 10 20
// run: 100
// run: 10 500 20
#include <stdio.h>
#include <stdlib.h>

struct arena {
    char *block;
    size_t used;
    void *large[4];
    int large_count;
};

static void *take(struct arena *a, size_t n) {
    if (n > 64) {
        void *p = malloc(n);
        if (p != NULL && n < 256) a->large[a->large_count++ % 4] = p;
        return p;
    }
    if (a->block == NULL && (a->block = malloc(256)) == NULL) return NULL;
    void *p = a->block + a->used;
    a->used += n;
    return p;
}

static void drop(struct arena *a) {
    for (int i = 0; i < 4; i++) free(a->large[i]);
    free(a->block);
}

int main(int argc, char **argv) {
    struct arena a = {0};
    size_t total = 0;
    for (int i = 1; i < argc; i++) {
        size_t n = (size_t)atol(argv[i]);
        char *p = take(&a, n);
        if (p == NULL) break;
        p[0] = 1;
        total += n;
    }
    printf("%zu\n", total);
    drop(&a);
    return 0;
}
