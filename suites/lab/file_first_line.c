// The first line of a file as a string of its own.
// run: words.txt
// run: empty.txt
// run: missing.txt
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *first_line(const char *name) {
    FILE *f = fopen(name, "r");
    if (f == NULL) return NULL;
    char *line = malloc(100);
    if (line == NULL) {
        fclose(f);
        return NULL;
    }
    if (fgets(line, 100, f) == NULL) {
        free(line);
        fclose(f);
        return NULL;
    }
    fclose(f);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *line = first_line(argv[i]);
        printf("%s: %s\n", argv[i], line ? line : "(none)");
        free(line);
    }
    return 0;
}
