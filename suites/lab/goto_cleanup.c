// Three steps, each with its own way out.
// run: 0
// run: 1
// run: 2
// run: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int work(int failing) {
    int status = -1;
    char *name = NULL, *path = NULL;
    int *table = malloc(8 * sizeof *table);
    if (table == NULL || failing == 1) goto out_table;
    name = strdup("name");
    if (name == NULL || failing == 2) goto out_name;
    path = malloc(32);
    if (path == NULL || failing == 3) goto out_path;
    snprintf(path, 32, "/%s", name);
    puts(path);
    status = 0;
out_path:
    free(path);
out_name:
    free(name);
out_table:
    free(table);
    return status;
}

int main(int argc, char **argv) {
    return work(argc > 1 ? atoi(argv[1]) : 0) == 0 ? 0 : 1;
}
// run:
