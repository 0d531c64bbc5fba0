// Scoped names: leaving a scope forgets what it declared.
// run: "{a{b}c}"
// run: "ab}"
// run: "{a"
#include <stdio.h>
#include <stdlib.h>

struct symbol {
    char name;
    int level;
    struct symbol *next;
};

static struct symbol *symbols;
static int level;

static void declare(char name) {
    struct symbol *s = malloc(sizeof *s);
    if (s == NULL) exit(3);
    s->name = name;
    s->level = level;
    s->next = symbols;
    symbols = s;
}

static int leave(void) {
    if (level == 0) return -1;
    while (symbols != NULL && symbols->level == level) symbols = symbols->next;
    level--;
    return 0;
}

static void forget_all(void) {
    while (symbols) {
        struct symbol *s = symbols;
        symbols = s->next;
        free(s);
    }
}

int main(int argc, char **argv) {
    const char *text = argc > 1 ? argv[1] : "";
    for (; *text; text++) {
        switch (*text) {
        case '{':
            level++;
            break;
        case '}':
            if (leave() != 0) {
                puts("unbalanced");
                forget_all();
                return 1;
            }
            break;
        default:
            declare(*text);
        }
    }
    int count = 0;
    for (struct symbol *s = symbols; s; s = s->next) count++;
    printf("%d visible\n", count);
    forget_all();
    return 0;
}
