// Joins and normalises paths.
// run: a b
// run: a ../b
// run: a /b
// run: ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(const char *folder, const char *name) {
    if (name[0] == '/') return strdup(name);
    char *path = malloc(strlen(folder) + strlen(name) + 2);
    if (path != NULL) sprintf(path, "%s/%s", folder, name);
    return path;
}

static char *normal(const char *path) {
    char *copy = strdup(path);
    if (copy == NULL) return NULL;
    char *up = strstr(copy, "/../");
    if (up == NULL) return copy;
    char *start = up;
    while (start > copy && start[-1] != '/') start--;
    char *shorter = malloc(strlen(path) + 1);
    if (shorter == NULL) return copy;
    sprintf(shorter, "%.*s%s", (int)(start - copy), copy, up + 4);
    return shorter;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    char *joined = join(argv[1], argv[2]);
    char *path = joined ? normal(joined) : NULL;
    puts(path ? path : "");
    free(path);
    free(joined);
    return 0;
}
