// A map from names to values; setting a name again replaces its value.
// run: a=1 b=2
// run: a=1 a=2
// run: a=1 -a -b
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char *name, *value;
    struct pair *next;
};

static struct pair *buckets[4];

static struct pair **locate(const char *name) {
    struct pair **p = &buckets[(unsigned char)name[0] % 4];
    while (*p && strcmp((*p)->name, name)) p = &(*p)->next;
    return p;
}

static void set(const char *name, const char *value) {
    struct pair **at = locate(name);
    if (*at) {
        (*at)->value = strdup(value);
        return;
    }
    struct pair *p = calloc(1, sizeof *p);
    if (!p) return;
    p->name = strdup(name);
    p->value = strdup(value);
    *at = p;
}

static void unset(const char *name) {
    struct pair **at = locate(name), *p = *at;
    if (!p) return;
    *at = p->next;
    free(p->name);
    free(p->value);
    free(p);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals) {
            *equals = '\0';
            set(argv[i], equals + 1);
        } else {
            unset(argv[i] + 1);
        }
    }
    for (int i = 0; i < 4; i++) {
        while (buckets[i]) {
            printf("%s=%s\n", buckets[i]->name, buckets[i]->value);
            unset(buckets[i]->name);
        }
    }
    return 0;
}
// run: a=1 a=2 a=3
