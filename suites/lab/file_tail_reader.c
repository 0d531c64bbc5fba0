// Reads the end of a file; knows three ways to fail.
// run: words.txt 6
// run: words.txt 6000
// run: words.txt 0
// run: nothing.txt 1
#include <stdio.h>
#include <stdlib.h>

static char *tail(const char *name, long n) {
    FILE *f = fopen(name, "r");
    char *text = NULL;
    if (f == NULL) goto out;
    if (n <= 0 || fseek(f, 0, SEEK_END) != 0) goto close;
    long size = ftell(f);
    if (size < n) goto close;
    fseek(f, size - n, SEEK_SET);
    text = malloc((size_t)n + 1);
    if (text == NULL) goto close;
    size_t got = fread(text, 1, (size_t)n, f);
    text[got] = '\0';
close:
    fclose(f);
out:
    return text;
}

int main(int argc, char **argv) {
    char *text = tail(argv[1], argc > 2 ? atol(argv[2]) : 1);
    if (text == NULL) {
        puts("nothing");
        return 1;
    }
    printf("[%s]\n", text);
    free(text);
    return 0;
}
// run: words.txt
