// Reading comma-separated records with quoted fields.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int field(char **pp, char *out) {
    char *p = *pp;
    if (!p) return 0;
    int n = 0;
    if (*p == '"') {
        for (p++; *p; p++) {
            if (*p == '"') {
                if (p[1] == '"') p++;
                else { p++; break; }
            }
            out[n++] = *p;
        }
    } else while (*p && *p != ',' && *p != '\n') out[n++] = *p++;
    out[n] = 0;
    *pp = *p == ',' ? p + 1 : NULL;
    return 1;
}
int main(void) {
    char line[128], f[64];
    int rows = 0;
    double total = 0;
    int cols = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *p = line;
        int c = 0;
        rows++;
        while (field(&p, f)) {
            c++;
            printf("<%s>", f);
            if (c == 3 && rows > 1) total += strtod(f, NULL);
        }
        puts("");
        if (c > cols) cols = c;
    }
    printf("%d rows %d cols %.2f\n", rows, cols, total);
    return rows;
}
