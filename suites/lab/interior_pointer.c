// Only a pointer past a hidden header is handed out.
// run: 4
// run: 0
#include <stdio.h>
#include <stdlib.h>

struct header { size_t size; };

static void *counted_alloc(size_t n) {
    struct header *h = malloc(sizeof *h + n);
    if (h == NULL) return NULL;
    h->size = n;
    return h + 1;
}

static size_t counted_size(const void *p) {
    return ((const struct header *)p)[-1].size;
}

static void counted_free(void *p) {
    if (p) free((struct header *)p - 1);
}

int main(int argc, char **argv) {
    size_t n = (size_t)atoi(argv[argc - 1]);
    char *text = counted_alloc(n);
    if (text == NULL) return 3;
    for (size_t i = 0; i < n; i++) text[i] = (char)('a' + i);
    printf("%zu %.*s\n", counted_size(text), (int)n, text);
    counted_free(text);
    return 0;
}
