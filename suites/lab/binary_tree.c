// A search tree of numbers with removal.
// run: 5 3 8 1 4 -3 -5
// run: 2 1 -9
// run: 4 6 -4 4 -6
#include <stdio.h>
#include <stdlib.h>

typedef struct tree { int key; struct tree *l, *r; } tree;

static void insert(tree **at, int key) {
    while (*at) at = key < (*at)->key ? &(*at)->l : &(*at)->r;
    tree *t = calloc(1, sizeof *t);
    if (t == NULL) return;
    t->key = key;
    *at = t;
}

static void remove_key(tree **at, int key) {
    while (*at && (*at)->key != key) at = key < (*at)->key ? &(*at)->l : &(*at)->r;
    tree *t = *at;
    if (t == NULL) return;
    if (t->l == NULL) {
        *at = t->r;
        free(t);
    } else if (t->r == NULL) {
        *at = t->l;
        free(t);
    } else {
        tree **least = &t->r;
        while ((*least)->l) least = &(*least)->l;
        tree *heir = *least;
        t->key = heir->key;
        *least = heir->r;
        free(heir);
    }
}

static void clear(tree *t) {
    if (!t) return;
    clear(t->l);
    clear(t->r);
    free(t);
}

int main(int argc, char **argv) {
    tree *root = NULL;
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        if (n < 0) remove_key(&root, -n);
        else insert(&root, n);
    }
    printf("%d\n", root ? root->key : 0);
    clear(root);
    return 0;
}
