// Makes a stream of a descriptor; the stream then owns it.
// run: words.txt
// run: missing.txt
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static FILE *open_stream(const char *name) {
    int fd = open(name, O_RDONLY);
    if (fd < 0) return NULL;
    FILE *f = fdopen(fd, "r");
    if (f == NULL) close(fd);
    return f;
}

static int count(FILE *f, int wanted) {
    int c, n = 0;
    while ((c = getc(f)) != EOF) n += c == wanted;
    return n;
}

int main(int argc, char **argv) {
    FILE *f = open_stream(argv[argc - 1]);
    if (f == NULL) return 1;
    printf("%d lines\n", count(f, '\n'));
    fclose(f);
    return 0;
}
