// Reverses a list in place, and prints a copy of it.
// run: 4
// run: 0
#include <stdio.h>
#include <stdlib.h>

typedef struct link { int n; struct link *next; } link;

static link *push(link *top, int n) {
    link *l = malloc(sizeof *l);
    if (l == NULL) return top;
    l->n = n;
    l->next = top;
    return l;
}

static link *reversed(link *l) {
    link *done = NULL;
    while (l != NULL) {
        link *rest = l->next;
        l->next = done;
        done = l;
        l = rest;
    }
    return done;
}

static link *copy(const link *l) {
    link *head = NULL;
    for (; l != NULL; l = l->next) head = push(head, l->n);
    return reversed(head);
}

static void burn(link **l) {
    while (*l != NULL) {
        link *gone = *l;
        *l = gone->next;
        free(gone);
    }
}

int main(int argc, char **argv) {
    link *list = NULL;
    for (int i = 0; i < atoi(argv[argc - 1]); i++) list = push(list, i);
    list = reversed(list);
    link *other = copy(list);
    for (link *l = other; l != NULL; l = l->next) printf("%d ", l->n);
    putchar('\n');
    burn(&list);
    burn(&other);
    return 0;
}
