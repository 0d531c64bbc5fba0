// Edits a text with undo; an edit after an undo forgets what was undone.
// run: +a +b u +c
// run: +a u u
// run: +a +b +c u u
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

static char *versions[MOST];
static int current, last;

static int edit(const char *suffix) {
    if (current + 1 == MOST) return -1;
    const char *old = versions[current];
    char *text = malloc(strlen(old) + strlen(suffix) + 1);
    if (text == NULL) return -1;
    strcat(strcpy(text, old), suffix);
    versions[++current] = text;
    last = current;
    return 0;
}

static void undo(void) {
    if (current > 0) current--;
}

int main(int argc, char **argv) {
    versions[0] = strdup("");
    if (versions[0] == NULL) return 3;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == 'u') undo();
        else if (edit(argv[i] + 1) != 0) break;
    }
    printf("%s\n", versions[current]);
    for (int i = 0; i <= last; i++) {
        free(versions[i]);
        versions[i] = NULL;
    }
    return 0;
}
// run: +1 +2 +3 +4 +5 +6 +7 +8
