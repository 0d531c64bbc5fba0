// Removes the even numbers from a list.
// run: 1 2 3 4
// run: 2 4
// run: 5
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

static struct cell *cons(int value, struct cell *next) {
    struct cell *c = malloc(sizeof(struct cell));
    if (!c) exit(3);
    c->value = value;
    c->next = next;
    return c;
}

static struct cell *without_even(struct cell *list) {
    struct cell **link = &list;
    while (*link) {
        if ((*link)->value % 2 == 0)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
    return list;
}

int main(int argc, char **argv) {
    struct cell *list = NULL;
    for (int i = argc - 1; i > 0; i--) list = cons(atoi(argv[i]), list);
    list = without_even(list);
    while (list) {
        struct cell *rest = list->next;
        printf("%d\n", list->value);
        free(list);
        list = rest;
    }
    return 0;
}
