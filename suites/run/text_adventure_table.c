// Rooms and exits in tables; commands from standard input.
#include <stdio.h>
#include <string.h>
enum { N, E, S, W };
struct room { const char *name; int exit[4]; const char *item; };
static struct room rooms[] = {{"hall", {1, 2, -1, -1}, "lamp"}, {"garden", {-1, -1, 0, -1}, NULL}, {"study", {-1, 3, -1, 0}, "key"}, {"vault", {-1, -1, -1, 2}, "gold"}};
static const char *bag[4];
static int have;
static int holds(const char *s) { for (int i = 0; i < have; i++) if (!strcmp(bag[i], s)) return 1; return 0; }
int main(void) {
    int at = 0, turns = 0;
    char cmd[16], arg[16], line[64];
    while (fgets(line, sizeof line, stdin)) {
        turns++;
        int k = sscanf(line, "%15s %15s", cmd, arg);
        struct room *r = &rooms[at];
        if (k < 1) continue;
        if (k == 2 && !strcmp(cmd, "go")) {
            int d = strcspn("nesw", (char[]){arg[0], 0}), to = d < 4 ? r->exit[d] : -1;
            if (to == 3 && !holds("key")) puts("locked");
            else if (to < 0) puts("wall");
            else { at = to; printf("you are in the %s\n", rooms[at].name); }
        } else if (k == 2 && !strcmp(cmd, "take")) {
            if (r->item && !strcmp(r->item, arg)) {
                bag[have++] = r->item;
                r->item = NULL;
                printf("taken %s\n", arg);
            } else puts("not here");
        } else if (!strcmp(cmd, "quit")) break;
        else puts("what?");
    }
    for (int i = 0; i < have; i++) printf("%s ", bag[i]); printf("%d turns\n", turns); return at * 10 + have;
}
