// Collects lines, each in the buffer that getline made for it.
// run: < "a\nb\nc\n"
// run: < "only"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *lines[4] = {0};
    int count = 0;
    for (;;) {
        char *line = NULL;
        size_t room = 0;
        if (getline(&line, &room, stdin) < 0) break;
        if (count == 4) {
            free(line);
            continue;
        }
        lines[count++] = line;
    }
    for (int i = 0; i < count; i++) {
        printf("%s", lines[i]);
        free(lines[i]);
    }
    return 0;
}
// run: < "1\n2\n3\n4\n5\n"
