// Cleanup attributes in a retry loop with resources counted.
#include <stdio.h>
#include <stdlib.h>
static int open_, peak, total;
struct res { int id; };
static struct res *acquire(int id) {
    struct res *r = malloc(sizeof *r);
    r->id = id;
    total++;
    if (++open_ > peak) peak = open_;
    return r;
}
static void release(struct res **r) {
    if (*r) {
        printf("-%d ", (*r)->id);
        free(*r);
        open_--;
    }
}
#define AUTO __attribute__((cleanup(release))) struct res *
static int attempt(int n) {
    AUTO a = acquire(n);
    if (n == 0) return -1;
    AUTO b = acquire(n + 10);
    for (int i = 0; i < 3; i++) {
        AUTO c = acquire(n + 100 + i);
        if (i == n) goto done;
        if (i == 1 && n > 5) return -2;
    }
    {
        AUTO d = NULL;
        if (n == 7) d = acquire(70);
        return b->id;
    }
    done: return a->id * 1000;
}
int main(void) {
    for (int i = 0; i < 9; i += 1 + i % 3) { int r = attempt(i); printf("=> %d\n", r); }
    printf("%d %d %d\n", open_, peak, total);
    return total;
}
