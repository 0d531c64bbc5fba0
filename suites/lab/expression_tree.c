// Parses sums and products of digits, folds constants, prints the value.
// run: 1+2*3
// run: 4*5
// run: 2+
// run: +
// run: 3*
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct expr {
    char op;
    int value;
    struct expr *left, *right;
};

static struct expr *make(char op, int value, struct expr *left, struct expr *right) {
    struct expr *e = malloc(sizeof *e);
    if (e == NULL) {
        perror("malloc");
        exit(3);
    }
    *e = (struct expr){op, value, left, right};
    return e;
}

static void destroy(struct expr *e) {
    if (e == NULL) return;
    destroy(e->left);
    destroy(e->right);
    free(e);
}

static struct expr *factor(const char **at) {
    if (!isdigit((unsigned char)**at)) return NULL;
    return make('#', *(*at)++ - '0', NULL, NULL);
}

static struct expr *term(const char **at) {
    struct expr *left = factor(at);
    while (left != NULL && **at == '*') {
        (*at)++;
        struct expr *right = factor(at);
        if (right == NULL) {
            destroy(left);
            return NULL;
        }
        left = make('*', 0, left, right);
    }
    return left;
}

static struct expr *sum(const char **at) {
    struct expr *left = term(at);
    while (left != NULL && **at == '+') {
        (*at)++;
        struct expr *right = term(at);
        if (right == NULL) return NULL;
        left = make('+', 0, left, right);
    }
    return left;
}

static struct expr *fold(struct expr *e) {
    if (e->op == '#') return e;
    e->left = fold(e->left);
    e->right = fold(e->right);
    int l = e->left->value, r = e->right->value;
    struct expr *folded = make('#', e->op == '+' ? l + r : l * r, NULL, NULL);
    destroy(e);
    return folded;
}

int main(int argc, char **argv) {
    const char *at = argc > 1 ? argv[1] : "";
    struct expr *e = sum(&at);
    if (e == NULL) return 1;
    e = fold(e);
    printf("%d\n", e->value);
    destroy(e);
    return 0;
}
// run: 1+2+
