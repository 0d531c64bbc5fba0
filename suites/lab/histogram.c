// Draws a histogram of digits, wide or tall.
// run: 112 wide
// run: 9 tall
// run: 5 round
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *tally(const char *digits) {
    int *counts = calloc(10, sizeof *counts);
    if (counts == NULL) return NULL;
    for (; *digits; digits++) counts[*digits - '0']++;
    return counts;
}

static char *bar(int n) {
    char *b = malloc((size_t)n + 1);
    if (b == NULL) return NULL;
    memset(b, '#', (size_t)n);
    b[n] = '\0';
    return b;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int *counts = tally(argv[1]);
    if (counts == NULL) return 3;
    if (strcmp(argv[2], "wide") == 0) {
        for (int i = 0; i < 10; i++) {
            char *b = bar(counts[i]);
            printf("%d %s\n", i, b ? b : "");
            free(b);
        }
    } else if (strcmp(argv[2], "tall") == 0) {
        for (int i = 0; i < 10; i++) printf("%d", counts[i]);
        putchar('\n');
    } else {
        fputs("wide or tall\n", stderr);
        free(counts);
        return 1;
    }
    free(counts);
    return 0;
}
// run:
