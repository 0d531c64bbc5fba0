// Locals of the function that called setjmp: volatile ones keep changes, unmodified ones keep values.
#include <stdio.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf jb; struct parse { const char *p; int line; };
static int digit(struct parse *s) {
    if (*s->p < '0' || *s->p > '9') longjmp(jb, s->line + (int)(*s->p));
    return *s->p++ - '0';
}
static int parse(const char *t, int *out) {
    struct parse s = {t, 1000};
    int err = setjmp(jb);
    if (err) return -err;
    int v = 0;
    do { v = v * 10 + digit(&s); } while (*s.p);
    *out = v;
    return 0;
}
static void bounce(int *p) { if (++*p < 5) longjmp(jb, *p); }
int main(void) {
    int v = -1;
    int r = parse("123", &v);
    printf("%d %d\n", r, v);
    r = parse("12x", &v);
    printf("%d %d\n", r, v);
    int fixed = 7;
    char *heap = malloc(16);
    heap[0] = 'h';
    static int hits;
    volatile int sum = 0;
    int got = _setjmp(jb);
    sum += got;
    bounce(&hits);
    printf("%d %d %d %c\n", fixed, hits, sum, heap[0]);
    free(heap);
    return sum;
}
