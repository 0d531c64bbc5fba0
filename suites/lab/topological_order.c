// Orders modules so that each comes after what it needs.
// run: a:b b:c
// run: a:b b:a
// run: x
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct module {
    char name;
    struct module *needs;
    int state;
    struct module *next;
};

static struct module *modules;

static struct module *module(char name) {
    for (struct module *m = modules; m; m = m->next)
        if (m->name == name) return m;
    struct module *m = calloc(1, sizeof *m);
    if (m == NULL) exit(3);
    m->name = name;
    m->next = modules;
    return modules = m;
}

static int visit(struct module *m, char *order, int *n) {
    if (m->state == 2) return 0;
    if (m->state == 1) return -1;
    m->state = 1;
    if (m->needs && visit(m->needs, order, n) != 0) return -1;
    m->state = 2;
    order[(*n)++] = m->name;
    return 0;
}

static char *ordered(void) {
    char *order = calloc(27, 1);
    int n = 0;
    if (order == NULL) return NULL;
    for (struct module *m = modules; m; m = m->next)
        if (visit(m, order, &n) != 0) return NULL;
    return order;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct module *m = module(argv[i][0]);
        if (argv[i][1] == ':') m->needs = module(argv[i][2]);
    }
    char *order = ordered();
    puts(order ? order : "cycle");
    free(order);
    for (struct module *m = modules, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    modules = NULL;
    return 0;
}
