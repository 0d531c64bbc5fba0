// An API that returns error codes and hands its result out by parameter.
// run: 12
// run: -4
// run: x
// run: 101
#include <stdio.h>
#include <stdlib.h>

enum { OK = 0, E_MEMORY = -1, E_SYNTAX = -2, E_RANGE = -3 };

struct number {
    long value;
    char *spelling;
};

static int number_new(const char *text, struct number **out) {
    struct number *n = malloc(sizeof *n);
    if (!n) return E_MEMORY;
    n->spelling = malloc(16);
    if (!n->spelling) {
        free(n);
        return E_MEMORY;
    }
    char *end;
    n->value = strtol(text, &end, 10);
    if (end == text) {
        free(n->spelling);
        free(n);
        return E_SYNTAX;
    }
    if (n->value < 0) {
        free(n);
        return E_RANGE;
    }
    snprintf(n->spelling, 16, "<%ld>", n->value);
    *out = n;
    return n->value > 100 ? E_RANGE : OK;
}

int main(int argc, char **argv) {
    struct number *n;
    int e = number_new(argv[argc - 1], &n);
    if (e != OK) {
        printf("error %d\n", e);
        return 1;
    }
    puts(n->spelling);
    free(n->spelling);
    free(n);
    return 0;
}
