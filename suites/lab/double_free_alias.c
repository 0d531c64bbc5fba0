// Two names for one block: the loser of a comparison is released.
// run: ab abc
// run: same same
// run: one
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *longer(char *a, char *b) {
    if (strlen(a) >= strlen(b)) {
        if (b != a) free(b);
        return a;
    }
    free(a);
    return b;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    char *a = strdup(argv[1]);
    char *b = argc > 2 ? strdup(argv[2]) : a;
    if (a == NULL || b == NULL) return 3;
    char *best = longer(a, b);
    printf("%s\n", best);
    free(best);
    if (argc > 2 && strcmp(argv[1], argv[2]) == 0) free(a);
    return 0;
}
// run:
