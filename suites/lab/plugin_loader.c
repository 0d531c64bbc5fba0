// Plugins register themselves with a state that they make.
// run: count echo
// run: broken count
// run: none
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
    const char *name;
    void *(*start)(void);
    void (*stop)(void *state);
};

struct loaded { const struct plugin *plugin; void *state; struct loaded *next; };

static void *count_start(void) { return calloc(1, sizeof(long)); }
static void *echo_start(void) { return strdup("echo"); }
static void *broken_start(void) { return NULL; }
static void stop_free(void *state) { free(state); }
static void stop_nothing(void *state) { (void)state; }

static const struct plugin plugins[] = {
    {"count", count_start, stop_free},
    {"echo", echo_start, stop_nothing},
    {"broken", broken_start, stop_free},
};

static struct loaded *load(const char *name, struct loaded *list) {
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(plugins[i].name, name)) continue;
        struct loaded *l = malloc(sizeof *l);
        if (l == NULL) return list;
        l->plugin = &plugins[i];
        l->state = plugins[i].start();
        if (l->state == NULL) {
            free(l);
            return list;
        }
        l->next = list;
        return l;
    }
    return list;
}

int main(int argc, char **argv) {
    struct loaded *list = NULL;
    for (int i = 1; i < argc; i++) list = load(argv[i], list);
    while (list) {
        struct loaded *l = list;
        list = l->next;
        puts(l->plugin->name);
        l->plugin->stop(l->state);
        free(l);
    }
    return 0;
}
