// Equal strings are stored once; the table owns them.
// run: a b a
// run: x
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **pool;
static int pooled;

static const char *intern(const char *text) {
    for (int i = 0; i < pooled; i++)
        if (strcmp(pool[i], text) == 0) return pool[i];
    char *copy = strdup(text);
    if (copy == NULL) return NULL;
    char **bigger = realloc(pool, (size_t)(pooled + 1) * sizeof *pool);
    if (bigger == NULL) {
        free(copy);
        return NULL;
    }
    pool = bigger;
    return pool[pooled++] = copy;
}

static void drop_pool(void) {
    for (int i = 0; i < pooled; i++) free(pool[i]);
    free(pool);
    pool = NULL;
    pooled = 0;
}

int main(int argc, char **argv) {
    const char *first = NULL;
    for (int i = 1; i < argc; i++) {
        const char *s = intern(argv[i]);
        if (i == 1) first = s;
        else if (s != NULL && s == first) puts("seen the first again");
    }
    printf("%d strings\n", pooled);
    drop_pool();
    return 0;
}
