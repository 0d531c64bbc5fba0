// A lazily made configuration lives as long as the program.
// run: a b
// run:
#include <stdio.h>
#include <stdlib.h>

struct config {
    int verbose;
    char *prefix;
};

static struct config *config(void) {
    static struct config *only;
    if (only == NULL) {
        only = calloc(1, sizeof *only);
        if (only == NULL) exit(3);
        only->prefix = malloc(4);
        if (only->prefix) only->prefix[0] = '\0';
    }
    return only;
}

static char *decorated(const char *text) {
    char *s = malloc(64);
    if (s == NULL) return NULL;
    snprintf(s, 64, "%s%s", config()->prefix ? config()->prefix : "?", text);
    return s;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *s = decorated(argv[i]);
        if (s) puts(s);
        free(s);
    }
    return config()->verbose;
}
