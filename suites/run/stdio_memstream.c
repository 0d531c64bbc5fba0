// open_memstream and fmemopen.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&p, &n);
    fprintf(f, "abc %d", 5);
    fflush(f);
    printf("%zu [%s]\n", n, p);
    for (int i = 0; i < 50; i++) fprintf(f, "-%d", i);
    fputc('!', f);
    fclose(f);
    printf("%zu %.20s %c\n", n, p, p[n - 1]);
    unsigned h = 0;
    for (size_t i = 0; i < n; i++) h = h * 31 + p[i];
    printf("%u\n", h);
    free(p);
    char in[] = "10 20 30\nrest of it\n";
    FILE *g = fmemopen(in, strlen(in), "r");
    int a, b, c;
    int k = fscanf(g, "%d %d %d", &a, &b, &c);
    printf("%d %d\n", k, a + b + c);
    char line[40];
    fgets(line, sizeof line, g);
    printf("[%zu]\n", strlen(line));
    fgets(line, sizeof line, g);
    printf("%s", line);
    printf("%d\n", fgetc(g));
    fclose(g);
    return a;
}
