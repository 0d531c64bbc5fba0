// A sorted index of words; a word that is there already is not added again.
// run: pear fig apple fig
// run: one
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct index {
    char **words;
    int used, room;
};

static bool find(const struct index *ix, const char *word, int *at) {
    int lo = 0, hi = ix->used;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        int order = strcmp(ix->words[mid], word);
        if (order == 0) {
            *at = mid;
            return true;
        }
        if (order < 0) lo = mid + 1;
        else hi = mid;
    }
    *at = lo;
    return false;
}

static bool insert(struct index *ix, char *word) {
    int at;
    if (find(ix, word, &at)) {
        free(word);
        return false;
    }
    if (ix->used == ix->room) {
        int room = ix->room ? ix->room * 2 : 2;
        char **words = realloc(ix->words, (size_t)room * sizeof *words);
        if (words == NULL) {
            free(word);
            return false;
        }
        ix->words = words;
        ix->room = room;
    }
    memmove(ix->words + at + 1, ix->words + at, (size_t)(ix->used - at) * sizeof *ix->words);
    ix->words[at] = word;
    ix->used++;
    return true;
}

int main(int argc, char **argv) {
    struct index ix = {0};
    for (int i = 1; i < argc; i++) {
        char *copy = strdup(argv[i]);
        if (copy == NULL) return 3;
        insert(&ix, copy);
    }
    for (int i = 0; i < ix.used; i++) {
        puts(ix.words[i]);
        free(ix.words[i]);
    }
    free(ix.words);
    return 0;
}
