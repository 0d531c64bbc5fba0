// A binary heap of structs ordered by key and age.
#include <stdio.h>
#include <stdlib.h>
struct job { int pri, seq; char name[4]; }; struct pq { struct job *a; int n, cap; };
static int less(const struct job *x, const struct job *y) {
    return x->pri != y->pri ? x->pri < y->pri : x->seq < y->seq;
}
static void push(struct pq *q, struct job j) {
    if (q->n == q->cap) q->a = realloc(q->a, (q->cap = q->cap * 2 + 1) * sizeof *q->a);
    int i = q->n++;
    for (; i && less(&j, &q->a[(i - 1) / 2]); i = (i - 1) / 2) q->a[i] = q->a[(i - 1) / 2];
    q->a[i] = j;
}
static struct job pop(struct pq *q) {
    struct job top = q->a[0], last = q->a[--q->n];
    int i = 0;
    for (int c; (c = 2 * i + 1) < q->n; i = c) {
        if (c + 1 < q->n && less(&q->a[c + 1], &q->a[c])) c++;
        if (!less(&q->a[c], &last)) break;
        q->a[i] = q->a[c];
    }
    if (q->n) q->a[i] = last;
    return top;
}
int main(void) {
    struct pq q = {0}; unsigned x = 12; unsigned h = 0;
    for (int i = 0; i < 60; i++) {
        x = x * 1103515245u + 12345u;
        struct job j = {x >> 20 & 7, i};
        sprintf(j.name, "%c%d", 'a' + i % 26, i % 10);
        push(&q, j);
        if (i % 4 == 3) {
            struct job t = pop(&q);
            h = h * 31 + t.seq;
            printf("%s/%d ", t.name, t.pri);
        }
    }
    puts("");
    int last = -1, ok = 1;
    while (q.n) {
        struct job t = pop(&q);
        if (t.pri < last) ok = 0;
        last = t.pri;
        h = h * 31 + t.seq;
    }
    printf("%u %d\n", h, ok); free(q.a); return ok ? 0 : 1;
}
