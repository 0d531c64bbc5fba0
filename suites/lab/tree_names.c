// A tree of named nodes; replacing a name, cutting a branch.
// run: rename
// run: cut
// run: both
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char *name;
    struct node *kids[2];
};

static struct node *node(const char *name, struct node *a, struct node *b) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL) exit(3);
    n->name = strdup(name);
    n->kids[0] = a;
    n->kids[1] = b;
    return n;
}

static void rename_node(struct node *n, const char *name) {
    n->name = strdup(name);
}

static void cut(struct node *n, int which) {
    struct node *kid = n->kids[which];
    n->kids[which] = NULL;
    free(kid);
}

static void destroy(struct node *n) {
    if (n == NULL) return;
    for (int i = 0; i < 2; i++) destroy(n->kids[i]);
    free(n->name);
    free(n);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    struct node *root = node("root", node("left", NULL, NULL), node("right", NULL, NULL));
    if (strcmp(what, "cut") != 0) rename_node(root->kids[0], "renamed");
    if (strcmp(what, "rename") != 0) cut(root, 1);
    printf("%s\n", root->kids[0]->name);
    destroy(root);
    return 0;
}
