// A matrix as rows of cells; rows are transposed into a new matrix.
// run: 0,1=5 2,0=7
// run: 1,1=1
// run: bad
#include <stdio.h>
#include <stdlib.h>

#define N 3

struct cell { int column, value; struct cell *next; };
struct matrix { struct cell *rows[N]; };

static int set(struct matrix *m, int row, int column, int value) {
    if (row < 0 || row >= N || column < 0 || column >= N) return -1;
    struct cell *c = malloc(sizeof *c);
    if (c == NULL) return -1;
    *c = (struct cell){column, value, m->rows[row]};
    m->rows[row] = c;
    return 0;
}

static struct matrix *transposed(const struct matrix *m) {
    struct matrix *t = calloc(1, sizeof *t);
    for (int i = 0; t && i < N; i++)
        for (struct cell *c = m->rows[i]; c; c = c->next) set(t, c->column, i, c->value);
    return t;
}

static void clear(struct matrix *m) {
    for (int i = 0; i < N; i++) {
        for (struct cell *c = m->rows[i], *next; c; c = next) {
            next = c->next;
            free(c);
        }
    }
}

int main(int argc, char **argv) {
    struct matrix m = {{0}};
    for (int i = 1; i < argc; i++) {
        int r = -1, c = -1, v = 0;
        sscanf(argv[i], "%d,%d=%d", &r, &c, &v);
        if (set(&m, r, c, v) != 0) fputs("ignored\n", stderr);
    }
    struct matrix *t = transposed(&m);
    if (t == NULL) return 3;
    printf("%d\n", t->rows[0] ? t->rows[0]->value : 0);
    clear(&m);
    free(t);
    return 0;
}
