// A logger owns its stream, unless it writes to standard error.
// run: file
// run: err
// run: reopen
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct logger {
    FILE *to;
    char *prefix;
};

static struct logger *logger_new(FILE *to, const char *prefix) {
    struct logger *l = malloc(sizeof *l);
    if (l == NULL) return NULL;
    l->to = to;
    l->prefix = strdup(prefix);
    return l;
}

static void logger_free(struct logger *l) {
    if (l->to != stderr) fclose(l->to);
    free(l->prefix);
    free(l);
}

int main(int argc, char **argv) {
    const char *mode = argv[argc - 1];
    FILE *to = strcmp(mode, "err") == 0 ? stderr : fopen("log.out", "w");
    if (to == NULL) return 1;
    struct logger *l = logger_new(to, "lab");
    if (l == NULL) {
        if (to != stderr) fclose(to);
        return 3;
    }
    if (strcmp(mode, "reopen") == 0) l->to = fopen("log2.out", "w");
    if (l->to) fprintf(l->to, "%s: hello\n", l->prefix ? l->prefix : "");
    logger_free(l);
    return 0;
}
