// A ring buffer of bytes with wraparound, and one of structs.
#include <stdio.h>
#include <string.h>
struct ring { unsigned char b[8]; unsigned r, w; };
static int put(struct ring *q, unsigned char c) {
    if (q->w - q->r == sizeof q->b) return 0;
    q->b[q->w++ % sizeof q->b] = c;
    return 1;
}
static int get(struct ring *q) { return q->r == q->w ? -1 : q->b[q->r++ % sizeof q->b]; }
struct ev { int t; char what[4]; };
struct evq { struct ev e[4]; int head, len; };
static void push(struct evq *q, struct ev e) {
    q->e[(q->head + q->len) % 4] = e;
    if (q->len < 4) q->len++;
    else q->head = (q->head + 1) % 4;
}
static struct ev pop(struct evq *q) {
    struct ev e = q->e[q->head];
    q->head = (q->head + 1) % 4;
    q->len--;
    return e;
}
int main(void) {
    struct ring q = {.r = 4294967290u, .w = 4294967290u};
    int in = 0, out = 0, refused = 0;
    unsigned h = 0;
    for (int i = 0; i < 60; i++) {
        if (i % 3 != 2) { if (put(&q, i)) in++; else refused++; } else {
            int c = get(&q);
            if (c >= 0) { out++; h = h * 31 + c; }
        }
    }
    printf("%d %d %d %u %u\n", in, out, refused, q.w - q.r, h);
    int c;
    while ((c = get(&q)) >= 0) printf("%d ", c);
    puts("");
    struct evq e = {0};
    for (int i = 0; i < 7; i++) {
        struct ev x = {i * 10};
        sprintf(x.what, "e%d", i);
        push(&e, x);
    }
    while (e.len) { struct ev x = pop(&e); printf("%d %s\n", x.t, x.what); }
    return refused;
}
