// Commands are functions in a table; each returns a text or nothing.
// run: upper ab
// run: twice ab
// run: length ab
// run: nope ab
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *upper(const char *s) {
    char *t = strdup(s);
    for (char *p = t; p && *p; p++) *p = (char)toupper((unsigned char)*p);
    return t;
}

static char *twice(const char *s) {
    char *t = malloc(2 * strlen(s) + 1);
    if (t) sprintf(t, "%s%s", s, s);
    return t;
}

static char *length(const char *s) {
    printf("%zu\n", strlen(s));
    return NULL;
}

static const struct {
    const char *name;
    char *(*run)(const char *);
} commands[] = {{"upper", upper}, {"twice", twice}, {"length", length}};

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    for (int i = 0; i < 3; i++) {
        if (strcmp(commands[i].name, argv[1])) continue;
        char *result = commands[i].run(argv[2]);
        if (result == NULL) return 0;
        puts(result);
        free(result);
        return 0;
    }
    fputs("unknown\n", stderr);
    return 1;
}
// run:
