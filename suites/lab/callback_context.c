// Sorts copies of the arguments, with a context for the callback.
// run: pear fig apple
// run: -r a b
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    int reverse;
    long comparisons;
};

static struct order *order;

static int compare(const void *a, const void *b) {
    order->comparisons++;
    int c = strcmp(*(char *const *)a, *(char *const *)b);
    return order->reverse ? -c : c;
}

static char **copies(int n, char **from) {
    char **to = calloc((size_t)n, sizeof *to);
    if (to == NULL) return NULL;
    for (int i = 0; i < n; i++) to[i] = strdup(from[i]);
    return to;
}

int main(int argc, char **argv) {
    order = calloc(1, sizeof *order);
    if (order == NULL) return 3;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "-r") == 0) {
        order->reverse = 1;
        first = 2;
    }
    int n = argc - first;
    char **words = copies(n, argv + first);
    if (words != NULL) {
        qsort(words, (size_t)n, sizeof *words, compare);
        for (int i = 0; i < n; i++) {
            puts(words[i]);
            free(words[i]);
        }
    }
    free(words);
    free(order);
    order = NULL;
    return 0;
}
