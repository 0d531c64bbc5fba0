// Splits a line into tokens; quotes keep spaces.
// run: "a 'b c' d"
// run: "a 'open"
// run: ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status { DONE, TOKEN, UNCLOSED };

static enum status next(const char **at, char **out) {
    const char *p = *at;
    while (*p == ' ') p++;
    if (*p == '\0') return DONE;
    char *token = malloc(strlen(p) + 1);
    size_t used = 0;
    if (token == NULL) return UNCLOSED;
    if (*p == '\'') {
        for (p++; *p != '\''; p++) {
            if (*p == '\0') return UNCLOSED;
            token[used++] = *p;
        }
        p++;
    } else {
        while (*p != ' ' && *p != '\0') token[used++] = *p++;
    }
    token[used] = '\0';
    *out = token;
    *at = p;
    return TOKEN;
}

int main(int argc, char **argv) {
    const char *at = argc > 1 ? argv[1] : "x";
    for (;;) {
        char *token;
        enum status s = next(&at, &token);
        if (s == DONE) return 0;
        if (s == UNCLOSED) {
            puts("unclosed");
            return 1;
        }
        printf("<%s>\n", token);
        free(token);
    }
}
// run:
