// Writes through a duplicate of a descriptor.
// run: keep
// run: close
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int write_twice(int fd, const char *text) {
    int other = dup(fd);
    if (other < 0) return -1;
    ssize_t n = write(fd, text, strlen(text));
    n += write(other, text, strlen(text));
    close(other);
    return (int)n;
}

int main(int argc, char **argv) {
    int fd = open("dup.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) return 1;
    printf("%d\n", write_twice(fd, "hello"));
    if (argc > 1 && strcmp(argv[1], "keep") == 0) {
        int copy = dup(fd);
        write(copy, "!", 1);
    }
    close(fd);
    return 0;
}
