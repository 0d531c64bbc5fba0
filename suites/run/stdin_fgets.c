// Lines of standard input with fgets, short buffers and a last line without newline.
#include <stdio.h>
#include <string.h>
int main(void) {
    char b[8];
    int lines = 0, parts = 0;
    size_t total = 0;
    while (fgets(b, sizeof b, stdin)) {
        size_t n = strlen(b);
        parts++;
        total += n;
        if (n && b[n - 1] == '\n') {
            lines++;
            b[n - 1] = 0;
            printf("[%s]$\n", b);
        } else printf("[%s]+\n", b);
    }
    printf("%d %d %zu %d\n", lines, parts, total, feof(stdin) != 0);
    return lines;
}
