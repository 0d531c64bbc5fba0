// A buffer is resized in place and released at the end, sometimes by a helper.
// run: 8
// run: 0
// run: -1
#include <stdio.h>
#include <stdlib.h>

static char *resized(char *buffer, int n) {
    if (n < 0) {
        free(buffer);
        return NULL;
    }
    char *other = malloc((size_t)n + 1);
    if (other == NULL) return buffer;
    other[0] = buffer[0];
    free(buffer);
    return other;
}

int main(int argc, char **argv) {
    char *buffer = malloc(4);
    if (buffer == NULL) return 3;
    buffer[0] = 'b';
    int n = atoi(argv[argc - 1]);
    char *next = resized(buffer, n);
    if (next != NULL) {
        printf("%c\n", next[0]);
        buffer = next;
    }
    free(buffer);
    return 0;
}
