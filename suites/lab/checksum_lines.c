// A checksum for each line of a file; options decide what is printed.
// run: words.txt sum
// run: words.txt max
// run: missing.txt sum
// run: empty.txt max
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums { unsigned *items; int count; };

static struct sums *read_sums(FILE *in) {
    struct sums *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    char line[64];
    while (fgets(line, sizeof line, in)) {
        unsigned *more = realloc(s->items, (size_t)(s->count + 1) * sizeof *more);
        if (more == NULL) break;
        s->items = more;
        unsigned sum = 0;
        for (char *p = line; *p; p++) sum = sum * 31 + (unsigned char)*p;
        s->items[s->count++] = sum % 997;
    }
    return s;
}

int main(int argc, char **argv) {
    FILE *in = fopen(argv[1], "r");
    if (in == NULL) return 1;
    struct sums *s = read_sums(in);
    fclose(in);
    if (s == NULL) return 3;
    unsigned result = 0;
    for (int i = 0; i < s->count; i++) {
        if (strcmp(argv[argc - 1], "max") == 0) result = s->items[i] > result ? s->items[i] : result;
        else result += s->items[i];
    }
    printf("%u\n", result);
    free(s);
    return 0;
}
