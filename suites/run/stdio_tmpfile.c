// Reading and writing a temporary file: seek, tell, ungetc, feof.
#include <stdio.h>
#include <string.h>
int main(void) {
    FILE *f = tmpfile();
    if (!f) return 1;
    fprintf(f, "line one\nline two\nlast");
    printf("%ld\n", ftell(f));
    rewind(f);
    char b[32];
    int n = 0;
    while (fgets(b, sizeof b, f)) { b[strcspn(b, "\n")] = 0; printf("%d:%s\n", ++n, b); }
    printf("%d %d\n", feof(f) != 0, ferror(f));
    fseek(f, 5, SEEK_SET);
    int c = fgetc(f);
    printf("%c ", c);
    ungetc('X', f);
    c = getc(f);
    printf("%c %c\n", c, getc(f));
    fseek(f, -4, SEEK_END);
    size_t k = fread(b, 1, 10, f);
    b[k] = 0;
    printf("%zu %s %d\n", k, b, feof(f) != 0);
    clearerr(f);
    printf("%d\n", feof(f));
    rewind(f);
    fputs("LINE", f);
    fflush(f);
    rewind(f);
    fscanf(f, "%s %s", b, b + 16);
    printf("%s %s\n", b, b + 16);
    int v[3] = {1, 2, 3}, w[3] = {0};
    fseek(f, 0, SEEK_SET);
    fwrite(v, sizeof *v, 3, f);
    fseek(f, 4, SEEK_SET);
    k = fread(w, sizeof *w, 2, f);
    printf("%zu %d %d\n", k, w[0], w[1]);
    fclose(f);
    return n;
}
