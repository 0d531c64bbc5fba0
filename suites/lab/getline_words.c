// Reads lines with getline; the longest is kept.
// run: < "a\nlonger\nmid\n"
// run: < ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL, *longest = NULL;
    size_t room = 0, best = 0;
    ssize_t n;
    while ((n = getline(&line, &room, stdin)) != -1) {
        if ((size_t)n > best) {
            char *copy = strdup(line);
            if (copy == NULL) break;
            free(longest);
            longest = copy;
            best = (size_t)n;
        }
    }
    free(line);
    printf("%s", longest ? longest : "nothing\n");
    free(longest);
    return 0;
}
