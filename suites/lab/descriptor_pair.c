// Two descriptors are opened; the second may fail.
// run: words.txt empty.txt
// run: words.txt missing.txt
// run: missing.txt words.txt
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct pair { int a, b; };

static int open_pair(struct pair *p, const char *a, const char *b) {
    p->a = open(a, O_RDONLY);
    if (p->a < 0) return -1;
    p->b = open(b, O_RDONLY);
    if (p->b < 0) return -1;
    return 0;
}

static void close_pair(struct pair *p) {
    close(p->a);
    close(p->b);
}

int main(int argc, char **argv) {
    struct pair p;
    char c;
    if (argc < 3 || open_pair(&p, argv[1], argv[2]) != 0) return 1;
    if (read(p.a, &c, 1) == 1) printf("%c\n", c);
    printf("%ld\n", (long)read(p.b, &c, 1));
    close_pair(&p);
    return 0;
}
// run:
