// Appends to a list by assigning realloc's result at once.
// run: a b c
// run:
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    const char **list = NULL;
    int n = 0;
    for (int i = 1; i < argc; i++) {
        list = realloc(list, (size_t)(n + 1) * sizeof *list);
        if (list == NULL) {
            fputs("out of memory\n", stderr);
            return 1;
        }
        list[n++] = argv[i];
    }
    for (int i = n; i-- > 0;) puts(list[i]);
    free(list);
    return 0;
}
