// A growing buffer: realloc of a struct with a flexible tail.
#include <stdio.h>
#include <stdlib.h>
struct buf { size_t len, cap; int items[]; };
static struct buf *push(struct buf *b, int x) {
    if (!b || b->len == b->cap) {
        size_t cap = b ? b->cap * 2 : 2, len = b ? b->len : 0;
        b = realloc(b, sizeof *b + cap * sizeof b->items[0]);
        if (!b) exit(3);
        b->cap = cap; b->len = len;
    }
    b->items[b->len++] = x;
    return b;
}
int main(void) {
    struct buf *b = NULL; unsigned h = 0;
    for (int i = 0; i < 100; i++) {
        b = push(b, i * i);
        if ((i & (i + 1)) == 0) printf("%d: len %zu cap %zu\n", i, b->len, b->cap);
    }
    for (size_t i = 0; i < b->len; i++) h = h * 31 + b->items[i];
    printf("%u\n", h);
    int last = b->items[b->len - 1];
    free(b);
    return last == 9801 ? 0 : 1;
}
