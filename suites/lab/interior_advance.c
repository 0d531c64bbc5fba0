// Skips the blanks in front of a copied line before releasing it.
// run: "  two blanks"
// run: none
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_trimmed(const char *line) {
    char *copy = strdup(line);
    if (copy == NULL) return;
    if (copy[0] != ' ') {
        puts(copy);
        free(copy);
        return;
    }
    while (*copy == ' ') copy++;
    char *trimmed = strdup(copy);
    if (trimmed != NULL) puts(trimmed);
    free(trimmed);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) print_trimmed(argv[i]);
    return 0;
}
