// A timer wheel with callbacks that re-arm themselves.
#include <stdio.h>
#include <string.h>
struct timer { int left, period, fired; void (*cb)(struct timer *, int); const char *name; struct timer *next; };
static struct timer *wheel[8];
static int now;
static void arm(struct timer *t, int d) {
    t->left = d / 8;
    t->next = wheel[(now + d) % 8];
    wheel[(now + d) % 8] = t;
}
static void tick(struct timer *t, int at) {
    t->fired++;
    printf("%d:%s ", at, t->name);
    if (t->period) arm(t, t->period);
}
static void once(struct timer *t, int at) {
    t->fired += 100;
    printf("%d:once ", at);
    (void)at;
}
static void step(void) {
    now++;
    struct timer *l = wheel[now % 8];
    wheel[now % 8] = 0;
    while (l) {
        struct timer *t = l;
        l = l->next;
        if (t->left-- > 0) { t->next = wheel[now % 8]; wheel[now % 8] = t; } else t->cb(t, now);
    }
}
int main(void) {
    struct timer a = {.period = 3, .cb = tick, .name = "a"}, b = {.period = 10, .cb = tick, .name = "b"}, c = {.cb = once, .name = "c"};
    arm(&a, 3);
    arm(&b, 10);
    arm(&c, 17);
    while (now < 31) step();
    printf("\n%d %d %d\n", a.fired, b.fired, c.fired);
    return a.fired + b.fired;
}
