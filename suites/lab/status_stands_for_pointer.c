// Success means that the out-parameter is set; the caller looks at the status alone.
// run: red
// run: green
// run: blue
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status { FOUND, UNKNOWN, NO_MEMORY };

static enum status shade(const char *name, char **hex) {
    static const char *const names[] = {"red", "green"};
    for (int i = 0; i < 2; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        char *text = malloc(8);
        if (text == NULL) return NO_MEMORY;
        sprintf(text, "#%06x", 0xff0000 >> (8 * i));
        *hex = text;
        return FOUND;
    }
    return UNKNOWN;
}

int main(int argc, char **argv) {
    char *hex;
    enum status s = shade(argv[argc - 1], &hex);
    switch (s) {
    case FOUND:
        puts(hex);
        break;
    case UNKNOWN:
        puts("unknown");
        break;
    case NO_MEMORY:
        return 3;
    }
    if (s == FOUND) free(hex);
    return s != FOUND;
}
