// A prefix tree; tells which arguments are prefixes of later ones.
// run: to tea ten to
// run: a
#include <stdio.h>
#include <stdlib.h>

struct trie {
    struct trie *next[26];
    int ends;
};

static struct trie *step(struct trie *t, char c) {
    int i = c - 'a';
    if (i < 0 || i >= 26) return NULL;
    if (t->next[i] == NULL) t->next[i] = calloc(1, sizeof *t);
    return t->next[i];
}

static int add(struct trie *t, const char *word) {
    for (; *word; word++) {
        t = step(t, *word);
        if (t == NULL) return -1;
    }
    return ++t->ends;
}

static void prune(struct trie *t) {
    for (int i = 0; i < 26; i++)
        if (t->next[i]) prune(t->next[i]);
    free(t);
}

int main(int argc, char **argv) {
    struct trie *root = calloc(1, sizeof *root);
    if (!root) return 3;
    for (int i = 1; i < argc; i++) {
        int times = add(root, argv[i]);
        if (times < 0) {
            fprintf(stderr, "only small letters\n");
            prune(root);
            return 1;
        }
        printf("%s %d\n", argv[i], times);
    }
    prune(root);
    return 0;
}
// run: ok Bad
