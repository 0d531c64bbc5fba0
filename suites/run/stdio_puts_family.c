// puts, fputs, putchar, putc, fputc, fwrite, fprintf to both streams.
#include <stdio.h>
#include <string.h>
int main(void) {
    puts("puts adds newline");
    fputs("fputs does not", stdout);
    putchar('\n');
    for (char c = 'a'; c <= 'e'; c++) putc(c, stdout);
    fputc('\n', stdout);
    size_t n = fwrite("raw bytes\n", 1, 10, stdout);
    printf("%zu\n", n);
    fprintf(stdout, "%s %d\n", "formatted", 7);
    fputs("to stderr\n", stderr);
    fprintf(stderr, "err %d\n", 3);
    int r = putchar('Z');
    putchar('\n');
    printf("%d %d\n", r, fputs("", stdout) >= 0);
    fflush(stdout);
    fwrite("ab\0cd\n", 1, 6, stdout);
    struct { int a; } x[2] = {{0x41424344}, {0x0a}};
    fwrite(x, 1, 4, stdout);
    putchar(10);
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("unbuffered");
    printf("%d\n", ferror(stdout));
    return (int)n;
}
