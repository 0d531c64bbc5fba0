// Copies a file, line by line.
// run: words.txt out.txt
// run: missing.txt out.txt
// run: words.txt no/such/folder
#include <stdio.h>

static int copy(const char *from, const char *to) {
    FILE *in = fopen(from, "r");
    if (in == NULL) return -1;
    FILE *out = fopen(to, "w");
    if (out == NULL) return -1;
    char line[80];
    int lines = 0;
    while (fgets(line, sizeof line, in)) {
        fputs(line, out);
        lines++;
    }
    fclose(out);
    fclose(in);
    return lines;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = copy(argv[1], argv[2]);
    if (n < 0) {
        perror("copy");
        return 1;
    }
    printf("%d lines\n", n);
    return 0;
}
// run:
