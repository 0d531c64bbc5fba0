// A table of field descriptors by offset drives a printer and a parser.
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
struct cfg { int port; char host[16]; double ratio; short level; unsigned char on; };
enum ft { TI, TS, TD, TH, TC };
static const struct { const char *name; enum ft t; size_t off, size; }
fs[] = {
#define FIELD(t, f) {#f, t, offsetof(struct cfg, f), sizeof(((struct cfg *)0)->f)}
    FIELD(TI, port), FIELD(TS, host), FIELD(TD, ratio), FIELD(TH, level), FIELD(TC, on)};
static int set(struct cfg *c, const char *line) {
    const char *eq = strchr(line, '=');
    if (!eq) return 0;
    for (unsigned i = 0; i < 5; i++) if (strlen(fs[i].name) == (size_t)(eq - line) && !strncmp(fs[i].name, line, eq - line)) {
        void *p = (char *)c + fs[i].off;
        const char *v = eq + 1;
        switch (fs[i].t) {
            case TI: *(int *)p = atoi(v);
            break;
            case TS: snprintf(p, fs[i].size, "%s", v);
            break;
            case TD: *(double *)p = atof(v);
            break;
            case TH: *(short *)p = atoi(v);
            break;
            case TC: *(unsigned char *)p = !strcmp(v, "yes");
        }
        return 1;
    }
    return 0;
}
static void show(const struct cfg *c) {
    for (unsigned i = 0; i < 5; i++) {
        const void *p = (const char *)c + fs[i].off;
        printf("%s=", fs[i].name);
        switch (fs[i].t) {
            case TI: printf("%d", *(const int *)p);
            break;
            case TS: printf("%s", (const char *)p);
            break;
            case TD: printf("%g", *(const double *)p);
            break;
            case TH: printf("%d", *(const short *)p);
            break;
            case TC: printf("%d", *(const unsigned char *)p);
        }
        putchar(' ');
    }
    puts("");
}
int main(void) {
    struct cfg c = {80, "localhost", 0.5, -1, 0};
    show(&c);
    const char *ls[] = {"port=8080", "host=a-very-long-host-name", "ratio=2.75", "level=-300", "on=yes", "bogus=1", "noequals"};
    int n = 0;
    for (int i = 0; i < 7; i++) n += set(&c, ls[i]);
    show(&c);
    return n;
}
