// Sends bytes through a pipe to itself.
// run: hello
// run: ""
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int roundtrip(const char *text, char *back, size_t room) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    size_t n = strlen(text);
    if (n == 0) {
        close(ends[0]);
        return -1;
    }
    write(ends[1], text, n);
    close(ends[1]);
    ssize_t got = read(ends[0], back, room - 1);
    close(ends[0]);
    back[got > 0 ? got : 0] = '\0';
    return (int)got;
}

int main(int argc, char **argv) {
    char back[64];
    int n = roundtrip(argv[argc - 1], back, sizeof back);
    if (n < 0) return 1;
    printf("%d %s\n", n, back);
    return 0;
}
