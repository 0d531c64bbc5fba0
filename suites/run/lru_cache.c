// A least-recently-used cache: list plus table, all in static arrays of indices.
#include <stdio.h>
enum { CAP = 4, NIL = -1 };
static int key[CAP], val[CAP], prev_[CAP], next_[CAP], head = NIL, tail = NIL, used, hits, misses;
static void unlink_(int i) {
    if (prev_[i] != NIL) next_[prev_[i]] = next_[i];
    else head = next_[i];
    if (next_[i] != NIL) prev_[next_[i]] = prev_[i];
    else tail = prev_[i];
}
static void front(int i) {
    prev_[i] = NIL;
    next_[i] = head;
    if (head != NIL) prev_[head] = i;
    head = i;
    if (tail == NIL) tail = i;
}
static int get(int k) {
    for (int i = head; i != NIL; i = next_[i]) if (key[i] == k) {
        hits++;
        unlink_(i);
        front(i);
        return val[i];
    }
    misses++;
    int i;
    if (used < CAP) i = used++;
    else { i = tail; unlink_(i); }
    key[i] = k;
    val[i] = k * k;
    front(i);
    return val[i];
}
int main(void) {
    const int req[] = {1, 2, 3, 1, 4, 5, 1, 2, 6, 1, 3, 3, 7, 1, 2}; int s = 0;
    for (unsigned i = 0; i < sizeof req / sizeof *req; i++) {
        s += get(req[i]);
        printf("%d:", req[i]);
        for (int j = head; j != NIL; j = next_[j]) printf(" %d", key[j]);
        puts("");
    }
    printf("%d %d %d\n", hits, misses, s); return hits * 16 + misses;
}
