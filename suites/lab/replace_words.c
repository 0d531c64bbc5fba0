// Replaces every occurrence of a word, one at a time.
// run: "the cat and the dog" the a
// run: "nothing here" zebra lion
// run: "xxx" x ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *replace_first(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (at == NULL) return NULL;
    size_t head = (size_t)(at - text);
    char *out = malloc(strlen(text) - strlen(from) + strlen(to) + 1);
    if (out == NULL) return NULL;
    memcpy(out, text, head);
    strcpy(out + head, to);
    strcat(out, at + strlen(from));
    return out;
}

static char *replace_all(const char *text, const char *from, const char *to) {
    char *current = strdup(text);
    char *next;
    while (current != NULL && (next = replace_first(current, from, to)) != NULL) {
        current = next;
    }
    return current;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    char *result = replace_all(argv[1], argv[2], argv[3]);
    printf("%s\n", result ? result : "");
    free(result);
    return 0;
}
// run: too few
