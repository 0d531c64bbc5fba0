// Tables with computed widths; nested formats built at run time.
#include <stdio.h>
#include <string.h>
struct row { const char *name; double v; long n; }; 
int main(void) {
    struct row rs[] = {{"alpha", 1.5, 10}, {"be", -22.25, -2000000}, {"gamma-delta", 1000, 0}};
    int w = 0;
    for (int i = 0; i < 3; i++) if ((int)strlen(rs[i].name) > w) w = strlen(rs[i].name);
    char line[64];
    memset(line, '-', w + 24);
    line[w + 24] = 0;
    puts(line);
    for (int i = 0; i < 3; i++) printf("|%-*s|%10.2f|%+10ld|\n", w, rs[i].name, rs[i].v, rs[i].n);
    puts(line);
    char fmt[16];
    for (int p = 0; p < 4; p++) {
        snprintf(fmt, sizeof fmt, "[%%%d.%df]", 8 + p, p);
        printf(fmt, 3.14159265);
    }
    puts("");
    for (int i = 1; i <= 5; i++) {
        for (int j = 1; j <= 5; j++) printf("%*d", 4, i * j);
        putchar('\n');
    }
    for (int i = 0; i < 4; i++) printf("%*s%.*s\n", 4 - i, "", 2 * i + 1, "*********");
    return w;
}
