// Reads fields between brackets with a state machine.
// run: "x[one]y[two]"
// run: "[a[b]"
// run: "[never"
// run: "]"
#include <stdio.h>
#include <stdlib.h>

enum state { OUTSIDE, INSIDE, BROKEN };

struct machine {
    enum state state;
    char *field;
    int used;
    int count;
};

static void feed(struct machine *m, char c) {
    switch (m->state) {
    case OUTSIDE:
        if (c == '[') {
            m->field = malloc(32);
            m->used = 0;
            m->state = m->field ? INSIDE : BROKEN;
        } else if (c == ']') {
            m->state = BROKEN;
        }
        break;
    case INSIDE:
        if (c == ']') {
            m->field[m->used] = '\0';
            printf("%s\n", m->field);
            free(m->field);
            m->field = NULL;
            m->count++;
            m->state = OUTSIDE;
        } else if (c == '[') {
            m->field = NULL;
            m->state = BROKEN;
        } else if (m->used < 31) {
            m->field[m->used++] = c;
        }
        break;
    case BROKEN:
        break;
    }
}

int main(int argc, char **argv) {
    struct machine m = {OUTSIDE, NULL, 0, 0};
    for (const char *p = argv[argc - 1]; *p; p++) feed(&m, *p);
    if (m.state == INSIDE) free(m.field);
    printf("%d fields%s\n", m.count, m.state == BROKEN ? ", broken" : "");
    return m.state == BROKEN;
}
// run: "[0123456789012345678901234567890123456789]"
