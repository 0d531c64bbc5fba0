// A stack machine with text on its stack: dup, cat, drop, print.
// run: a b cat print
// run: a dup cat print
// run: cat
// run: a drop b
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *stack[16];
static int top;

static char *joined(const char *a, const char *b) {
    char *s = malloc(strlen(a) + strlen(b) + 1);
    if (s == NULL) exit(3);
    return strcat(strcpy(s, a), b);
}

static int step(const char *word) {
    if (strcmp(word, "cat") == 0) {
        if (top < 2) return -1;
        char *b = stack[--top], *a = stack[--top];
        stack[top++] = joined(a, b);
        free(a);
        free(b);
    } else if (strcmp(word, "dup") == 0) {
        if (top < 1) return -1;
        stack[top] = strdup(stack[top - 1]);
        top++;
    } else if (strcmp(word, "drop") == 0) {
        if (top < 1) return -1;
        stack[--top] = NULL;
    } else if (strcmp(word, "print") == 0) {
        if (top < 1) return -1;
        puts(stack[top - 1]);
    } else {
        stack[top++] = strdup(word);
    }
    return 0;
}

int main(int argc, char **argv) {
    int status = 0;
    for (int i = 1; i < argc && status == 0; i++) status = step(argv[i]);
    while (top > 0) free(stack[--top]);
    return status != 0;
}
// run: dup
// run: drop
// run: print
// run: a b cat drop
// run: a dup drop
