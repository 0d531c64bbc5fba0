// Releases any number of blocks with one call.
// run: 1
// run: 2
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_all(int count, ...) {
    va_list args;
    va_start(args, count);
    for (int i = 0; i < count; i++) free(va_arg(args, void *));
    va_end(args);
}

int main(int argc, char **argv) {
    int which = atoi(argv[argc - 1]);
    char *name = strdup("name");
    char *path = strdup("path");
    int *ids = malloc(4 * sizeof *ids);
    if (name && path && ids) printf("%s %s\n", name, path);
    if (which == 1) free_all(3, name, path, ids);
    else free_all(2, name, path, ids);
    return 0;
}
