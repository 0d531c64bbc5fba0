// Parses options into a record; a repeated option wins over the earlier one.
// run: -o out -v
// run: -o a -o b
// run: -x
// run: -o
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    char *output;
    int verbose;
};

static int parse(struct options *o, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            o->verbose = 1;
        } else if (strcmp(argv[i], "-o") == 0) {
            if (++i == argc) return -1;
            free(o->output);
            o->output = strdup(argv[i]);
        } else {
            return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    struct options o = {strdup("a.out"), 0};
    if (parse(&o, argc, argv) != 0) {
        fputs("usage: [-v] [-o FILE]\n", stderr);
        free(o.output);
        return 2;
    }
    printf("%s %d\n", o.output ? o.output : "", o.verbose);
    free(o.output);
    return 0;
}
