// Reads all of standard input, then gives back the room it does not need.
// run: < "some text that is longer than eight"
// run: < ""
// run: < "short"
#include <stdio.h>
#include <stdlib.h>

static char *slurp(size_t *length) {
    size_t used = 0, room = 8;
    char *text = malloc(room);
    if (text == NULL) return NULL;
    int c;
    while ((c = getchar()) != EOF) {
        if (used + 1 == room) {
            char *more = realloc(text, room * 2);
            if (more == NULL) {
                free(text);
                return NULL;
            }
            text = more;
            room *= 2;
        }
        text[used++] = (char)c;
    }
    text[used] = '\0';
    *length = used;
    char *fitting = realloc(text, used + 1);
    return fitting != NULL ? fitting : text;
}

int main(void) {
    size_t length = 0;
    char *text = slurp(&length);
    if (text == NULL) return 1;
    if (length == 0) return 0;
    printf("%zu %c\n", length, text[0]);
    free(text);
    return 0;
}
