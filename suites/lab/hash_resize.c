// An open hash table that rehashes into a bigger one.
// run: 3 5 8 13 21
// run: 1
// run: 4 4 4
#include <stdio.h>
#include <stdlib.h>

struct set {
    int *slots;
    unsigned room, used;
};

static int set_init(struct set *s, unsigned room) {
    s->slots = calloc(room, sizeof *s->slots);
    s->room = room;
    s->used = 0;
    return s->slots ? 0 : -1;
}

static int put(struct set *s, int key) {
    unsigned i = (unsigned)key % s->room;
    while (s->slots[i] != 0 && s->slots[i] != key) i = (i + 1) % s->room;
    if (s->slots[i] == key) return 0;
    s->slots[i] = key;
    s->used++;
    return 1;
}

static int rehash(struct set *s) {
    struct set bigger;
    if (set_init(&bigger, s->room * 2) != 0) return -1;
    for (unsigned i = 0; i < s->room; i++)
        if (s->slots[i] != 0) put(&bigger, s->slots[i]);
    free(s->slots);
    *s = bigger;
    return 0;
}

static int add(struct set *s, int key) {
    if (s->used * 2 >= s->room && rehash(s) != 0) return -1;
    return put(s, key);
}

int main(int argc, char **argv) {
    struct set s;
    if (set_init(&s, 4) != 0) return 3;
    int fresh = 0;
    for (int i = 1; i < argc; i++) {
        int r = add(&s, atoi(argv[i]));
        if (r < 0) break;
        fresh += r;
    }
    printf("%d new of %d\n", fresh, argc - 1);
    free(s.slots);
    return 0;
}
