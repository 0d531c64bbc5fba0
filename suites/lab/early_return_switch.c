// Formats a value by a directive.
// run: d 12
// run: x 255
// run: s text
// run: q 1
// run: d
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(char directive, const char *value) {
    char *out = malloc(32);
    if (out == NULL) return NULL;
    switch (directive) {
    case 'd':
        snprintf(out, 32, "%d", atoi(value));
        return out;
    case 'x':
        snprintf(out, 32, "%x", (unsigned)atoi(value));
        break;
    case 's':
        if (strlen(value) > 8) {
            free(out);
            return strdup("(long)");
        }
        strcpy(out, value);
        break;
    default:
        fprintf(stderr, "no such directive\n");
        return NULL;
    }
    return out;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    char *text = format(argv[1][0], argv[2]);
    if (text) puts(text);
    free(text);
    return text == NULL;
}
// run: s "a very long text"
