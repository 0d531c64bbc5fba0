// Rotations of a small tree; each returns the new root.
// run: left
// run: right
// run: double
#include <stdio.h>
#include <stdlib.h>

struct n { int key; struct n *a, *b; };

static struct n *mk(int key, struct n *a, struct n *b) {
    struct n *p = malloc(sizeof *p);
    if (!p) exit(3);
    p->key = key, p->a = a, p->b = b;
    return p;
}

static struct n *left(struct n *p) {
    struct n *q = p->b;
    p->b = q->a;
    q->a = p;
    return q;
}

static struct n *right(struct n *p) {
    struct n *q = p->a;
    p->a = q->b;
    q->b = p;
    return q;
}

static int drop(struct n *p) {
    if (!p) return 0;
    int count = 1 + drop(p->a) + drop(p->b);
    free(p);
    return count;
}

int main(int argc, char **argv) {
    struct n *root = mk(4, mk(2, mk(1, 0, 0), mk(3, 0, 0)), mk(6, 0, 0));
    switch (argv[argc - 1][0]) {
    case 'l':
        root = left(root);
        break;
    case 'r':
        root = right(root);
        break;
    default:
        root->a = left(root->a);
        root->b = right(mk(8, mk(7, 0, 0), 0));
    }
    int key = root->key;
    printf("%d, %d nodes\n", key, drop(root));
    return 0;
}
