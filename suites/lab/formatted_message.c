// Messages formatted with asprintf and passed on.
// run: 3
// run: 30
// run: -1
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static char *message(int level) {
    char *text;
    if (level < 0) return NULL;
    if (asprintf(&text, "level %d", level) < 0) return NULL;
    return text;
}

static int show(int level) {
    char *text = message(level);
    if (text == NULL) return 1;
    if (level > 10) {
        char *louder;
        if (asprintf(&louder, "%s!", text) < 0) return 1;
        text = louder;
    }
    puts(text);
    free(text);
    return 0;
}

int main(int argc, char **argv) {
    return show(atoi(argv[argc - 1]));
}
