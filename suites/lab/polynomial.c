// Adds and multiplies polynomials given as digits.
// run: 12 + 3
// run: 12 * 11
// run: 1 / 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct poly {
    int degree;
    int terms[];
};

static struct poly *poly_new(int degree) {
    struct poly *p = calloc(1, sizeof *p + (size_t)(degree + 1) * sizeof(int));
    if (p == NULL) exit(3);
    p->degree = degree;
    return p;
}

static struct poly *parse(const char *digits) {
    struct poly *p = poly_new((int)strlen(digits) - 1);
    for (int i = 0; i <= p->degree; i++) p->terms[i] = digits[i] - '0';
    return p;
}

static struct poly *sum(const struct poly *a, const struct poly *b) {
    struct poly *r = poly_new(a->degree > b->degree ? a->degree : b->degree);
    for (int i = 0; i <= a->degree; i++) r->terms[i] += a->terms[i];
    for (int i = 0; i <= b->degree; i++) r->terms[i] += b->terms[i];
    return r;
}

static struct poly *product(const struct poly *a, const struct poly *b) {
    struct poly *r = poly_new(0);
    for (int i = 0; i <= b->degree; i++) {
        struct poly *part = poly_new(a->degree + i);
        for (int j = 0; j <= a->degree; j++) part->terms[i + j] = a->terms[j] * b->terms[i];
        struct poly *next = sum(r, part);
        free(r);
        free(part);
        r = next;
    }
    return r;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    struct poly *a = parse(argv[1]), *b = parse(argv[3]), *r = NULL;
    if (argv[2][0] == '+') r = sum(a, b);
    if (argv[2][0] == '*') r = product(a, b);
    free(a);
    if (r == NULL) return 1;
    free(b);
    for (int i = 0; i <= r->degree; i++) printf("%d ", r->terms[i]);
    puts("");
    free(r);
    return 0;
}
// run:
