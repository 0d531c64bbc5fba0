// A cooperative scheduler: tasks as step functions sharing a bounded queue.
#include <stdio.h>
struct chan { int buf[3], n, r; };
struct task { int (*step)(struct task *); struct chan *in, *out; int state, sum, left; const char *name; };
static int send(struct chan *c, int v) {
    if (c->n == 3) return 0;
    c->buf[(c->r + c->n++) % 3] = v;
    return 1;
}
static int recv(struct chan *c, int *v) {
    if (!c->n) return 0;
    *v = c->buf[c->r];
    c->r = (c->r + 1) % 3;
    c->n--;
    return 1;
}
static int produce(struct task *t) {
    if (t->left == 0) return send(t->out, -1) ? 0 : 1;
    if (send(t->out, t->left * t->left)) t->left--;
    return 1;
}
static int filter(struct task *t) {
    if (t->state) {
        if (!send(t->out, t->sum)) return 1;
        t->state = 0;
        if (t->sum < 0) return 0;
    }
    int v;
    if (recv(t->in, &v) && (v < 0 || v % 3)) { t->sum = v; t->state = 1; }
    return 1;
}
static int consume(struct task *t) {
    int v;
    if (recv(t->in, &v)) {
        if (v < 0) return 0;
        t->sum += v;
        printf("%d ", v);
    }
    return 1;
}
int main(void) {
    struct chan a = {0}, b = {0};
    struct task ts[] = {{produce, 0, &a, .left = 10}, {filter, &a, &b}, {consume, &b, 0}};
    int alive[3] = {1, 1, 1}, rounds = 0;
    while (alive[0] || alive[1] || alive[2]) {
        rounds++;
        for (int i = 0; i < 3; i++) if (alive[i]) alive[i] = ts[(i + 0)].step(&ts[i]);
    }
    printf("\n%d %d\n", ts[2].sum, rounds);
    return rounds;
}
