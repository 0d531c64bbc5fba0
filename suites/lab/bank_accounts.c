// Accounts with a history of transfers.
// run: 50
// run: 500
// run: 0
#include <stdio.h>
#include <stdlib.h>

struct transfer { int amount; struct transfer *earlier; };
struct account { long balance; struct transfer *history; };

static struct transfer *note(int amount) {
    struct transfer *t = malloc(sizeof *t);
    if (t) t->amount = amount;
    return t;
}

static int transfer(struct account *from, struct account *to, int amount) {
    struct transfer *out = note(-amount);
    struct transfer *in = note(amount);
    if (out == NULL || in == NULL) {
        free(out);
        free(in);
        return -1;
    }
    if (amount <= 0) {
        free(out);
        free(in);
        return -2;
    }
    if (from->balance < amount) {
        free(in);
        return -3;
    }
    from->balance -= amount;
    to->balance += amount;
    out->earlier = from->history;
    from->history = out;
    in->earlier = to->history;
    to->history = in;
    return 0;
}

static void forget(struct account *a) {
    while (a->history) {
        struct transfer *t = a->history;
        a->history = t->earlier;
        free(t);
    }
}

int main(int argc, char **argv) {
    struct account a = {100, NULL}, b = {0, NULL};
    int e = transfer(&a, &b, atoi(argv[argc - 1]));
    printf("%d %ld %ld\n", e, a.balance, b.balance);
    forget(&a);
    forget(&b);
    return e != 0;
}
