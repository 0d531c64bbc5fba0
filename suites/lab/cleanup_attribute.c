// Scopes release by attribute; one value is moved out of its scope.
// run: 1
// run: 2
// run: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_string(char **s) { free(*s); }
static void close_file(FILE **f) {
    if (*f) fclose(*f);
}
#define auto_string __attribute__((cleanup(free_string))) char *
#define auto_file __attribute__((cleanup(close_file))) FILE *

static char *moved(char **from) {
    char *s = *from;
    *from = NULL;
    return s;
}

static char *pick(int which) {
    auto_string first = strdup("first");
    auto_string second = strdup("second");
    auto_file words = fopen("words.txt", "r");
    if (which == 0 || words == NULL) return NULL;
    if (which == 1) return moved(&first);
    return moved(&second);
}

int main(int argc, char **argv) {
    auto_string got = pick(atoi(argv[argc - 1]));
    puts(got ? got : "none");
    return 0;
}
