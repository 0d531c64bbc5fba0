// Expands $name in a text from a list of pairs.
// run: "hi $who" who=you
// run: "hi $who" what=x
// run: "plain"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *value_of(const char *name, int argc, char **argv) {
    size_t n = strlen(name);
    for (int i = 2; i < argc; i++)
        if (strncmp(argv[i], name, n) == 0 && argv[i][n] == '=') return strdup(argv[i] + n + 1);
    return NULL;
}

static char *expand(const char *text, int argc, char **argv) {
    char *out = calloc(256, 1);
    if (out == NULL) return NULL;
    while (*text) {
        if (*text != '$') {
            strncat(out, text++, 1);
            continue;
        }
        size_t n = 1;
        while (isalpha((unsigned char)text[n])) n++;
        char *name = strndup(text + 1, n - 1);
        char *value = name ? value_of(name, argc, argv) : NULL;
        if (value == NULL) {
            fprintf(stderr, "no value for %s\n", name ? name : "?");
            free(out);
            return NULL;
        }
        strcat(out, value);
        free(name);
        text += n;
    }
    return out;
}

int main(int argc, char **argv) {
    char *text = expand(argv[1], argc, argv);
    if (text == NULL) return 1;
    puts(text);
    free(text);
    return 0;
}
