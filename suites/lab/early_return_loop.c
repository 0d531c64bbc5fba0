// Looks for the first line with a bad character.
// run: < "fine\nalso fine\n"
// run: < "fine\nb@d\nrest\n"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_all(void) {
    char buffer[64];
    int number = 0;
    while (fgets(buffer, sizeof buffer, stdin)) {
        number++;
        char *line = strdup(buffer);
        if (line == NULL) return -1;
        line[strcspn(line, "\n")] = '\0';
        for (char *p = line; *p; p++) {
            if (!isalpha((unsigned char)*p) && *p != ' ') {
                printf("line %d: %c\n", number, *p);
                return number;
            }
        }
        free(line);
    }
    return 0;
}

int main(void) {
    return check_all() == 0 ? 0 : 1;
}
