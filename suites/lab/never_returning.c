// Errors end the program through a function that never returns.
// run: 6 3
// run: 6 0
// run: 1
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    exit(1);
}

static void *need(size_t n) {
    void *p = malloc(n);
    if (p == NULL) die("no memory for %zu bytes\n", n);
    return p;
}

static int quotient(const char *a, const char *b) {
    int *pair = need(2 * sizeof *pair);
    pair[0] = atoi(a);
    pair[1] = atoi(b);
    if (pair[1] == 0) die("%d / 0\n", pair[0]);
    int q = pair[0] / pair[1];
    free(pair);
    return q;
}

int main(int argc, char **argv) {
    if (argc < 3) die("two numbers, please\n");
    printf("%d\n", quotient(argv[1], argv[2]));
    return 0;
}
