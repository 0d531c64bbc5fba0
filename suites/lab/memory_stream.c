// Formats into a memory stream; the text belongs to the caller.
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>

static char *numbers(int n) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) return NULL;
    for (int i = 0; i < n; i++) fprintf(f, "%d;", i);
    fclose(f);
    if (size == 0) {
        free(text);
        return NULL;
    }
    return text;
}

int main(int argc, char **argv) {
    char *text = numbers(argc > 1 ? atoi(argv[1]) : 2);
    printf("%s\n", text ? text : "empty");
    free(text);
    return 0;
}
// run:
