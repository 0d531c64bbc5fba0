// Timers with callbacks: a callback may rearm its timer.
// run: 3
// run: 1
#include <stdio.h>
#include <stdlib.h>

struct timer;
typedef int (*handler)(struct timer *);

struct timer {
    int due, left;
    handler fire;
    struct timer *next;
};

static struct timer *armed;

static void arm(struct timer *t, int due) {
    t->due = due;
    t->next = armed;
    armed = t;
}

static int once(struct timer *t) {
    printf("once at %d\n", t->due);
    return 0;
}

static int repeating(struct timer *t) {
    printf("tick at %d\n", t->due);
    return --t->left > 0;
}

static void start(handler fire, int due, int times) {
    struct timer *t = malloc(sizeof *t);
    if (!t) return;
    t->fire = fire;
    t->left = times;
    arm(t, due);
}

static void tick(int now) {
    struct timer *due = armed;
    armed = NULL;
    while (due) {
        struct timer *t = due;
        due = t->next;
        if (t->due > now) arm(t, t->due);
        else if (t->fire(t)) arm(t, now + 1);
        else free(t);
    }
}

int main(int argc, char **argv) {
    start(once, 1, 1);
    start(repeating, 0, argc > 1 ? atoi(argv[1]) : 1);
    for (int now = 0; armed != NULL && now < 10; now++) tick(now);
    return 0;
}
// run:
