// Concatenates any number of strings, up to a NULL.
// run: a b
// run: a
// run:
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *concat(const char *first, ...) {
    va_list args;
    size_t n = strlen(first) + 1;
    va_start(args, first);
    for (const char *s; (s = va_arg(args, const char *)) != NULL;) n += strlen(s);
    va_end(args);
    char *result = malloc(n);
    if (result == NULL) return NULL;
    strcpy(result, first);
    va_start(args, first);
    for (const char *s; (s = va_arg(args, const char *)) != NULL;) strcat(result, s);
    va_end(args);
    return result;
}

int main(int argc, char **argv) {
    char *text = NULL;
    switch (argc) {
    case 1:
        text = concat("none", NULL);
        break;
    case 2:
        text = concat("one: ", argv[1], NULL);
        break;
    default:
        puts(concat(argv[1], "+", argv[2], NULL));
    }
    if (text) puts(text);
    free(text);
    return 0;
}
