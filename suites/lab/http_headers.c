// Parses header lines; a continuation line extends the header before it.
// run: < "Host: a\nX: b\n  c\n\n"
// run: < "  early\n"
// run: < "No colon\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header { char *name, *value; };
struct headers { struct header items[8]; int count; };

static int extend(struct header *h, const char *more) {
    char *longer = malloc(strlen(h->value) + strlen(more) + 2);
    if (longer == NULL) return -1;
    sprintf(longer, "%s %s", h->value, more);
    free(h->value);
    h->value = longer;
    return 0;
}

static int add(struct headers *all, char *line) {
    if (line[0] == ' ') return all->count ? extend(&all->items[all->count - 1], line + strspn(line, " ")) : -1;
    char *colon = strchr(line, ':');
    if (colon == NULL || all->count == 8) return -1;
    *colon = '\0';
    struct header *h = &all->items[all->count];
    h->name = strdup(line);
    h->value = strdup(colon + 1 + strspn(colon + 1, " "));
    if (h->name == NULL || h->value == NULL) {
        free(h->name);
        free(h->value);
        return -1;
    }
    all->count++;
    return 0;
}

int main(void) {
    struct headers all = {.count = 0};
    char line[128];
    int status = 0;
    while (status == 0 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0') break;
        status = add(&all, line);
    }
    for (int i = 0; i < all.count; i++) {
        printf("%s=%s\n", all.items[i].name, all.items[i].value);
        free(all.items[i].name);
        free(all.items[i].value);
    }
    return -status;
}
// run: < "a: 1\n"
