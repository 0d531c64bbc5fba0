// Merges two sorted lists into one; equal numbers are kept once.
// run: 1 3 5 / 2 3 4
// run: 7 / 7
// run: 1 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int key; struct item *next; };

static struct item *append(struct item *last, int key) {
    struct item *it = malloc(sizeof *it);
    if (it == NULL) abort();
    it->key = key;
    it->next = NULL;
    last->next = it;
    return it;
}

static struct item *merge(struct item *a, struct item *b) {
    struct item head = {0, NULL}, *last = &head;
    while (a && b) {
        struct item **from = a->key <= b->key ? &a : &b;
        struct item *it = *from;
        *from = it->next;
        if (last != &head && last->key == it->key) continue;
        last->next = it;
        last = it;
    }
    last->next = a ? a : b;
    return head.next;
}

int main(int argc, char **argv) {
    struct item a = {0, NULL}, b = {0, NULL}, *last = &a;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "/") == 0) {
            last = &b;
            continue;
        }
        last = append(last, atoi(argv[i]));
    }
    struct item *all = merge(a.next, b.next);
    while (all) {
        struct item *next = all->next;
        printf("%d ", all->key);
        free(all);
        all = next;
    }
    putchar('\n');
    return 0;
}
