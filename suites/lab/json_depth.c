// Builds a tree of bracketed lists and prints how deep it is.
// run: "[[][[]]]"
// run: "[[]"
// run: "x"
// run: "[[x]]"
// run: "[[][[]"
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *child;
    struct node *sibling;
};

static void drop(struct node *n) {
    if (n == NULL) return;
    drop(n->child);
    drop(n->sibling);
    free(n);
}

static struct node *parse(const char **text, int *bad) {
    if (**text != '[') {
        *bad = 1;
        return NULL;
    }
    (*text)++;
    struct node *n = calloc(1, sizeof *n);
    if (n == NULL) exit(3);
    struct node **tail = &n->child;
    while (**text == '[') {
        *tail = parse(text, bad);
        if (*bad) {
            drop(n);
            return NULL;
        }
        tail = &(*tail)->sibling;
    }
    if (**text != ']') {
        *bad = 1;
        drop(n);
        return NULL;
    }
    (*text)++;
    return n;
}

static int depth(const struct node *n) {
    int most = 0;
    for (const struct node *c = n->child; c != NULL; c = c->sibling) {
        int d = depth(c);
        if (d > most) most = d;
    }
    return most + 1;
}

int main(int argc, char **argv) {
    const char *text = argc > 1 ? argv[1] : "[]";
    int bad = 0;
    struct node *root = parse(&text, &bad);
    if (bad) {
        puts("bad");
        return 1;
    }
    printf("%d\n", depth(root));
    drop(root);
    return 0;
}
