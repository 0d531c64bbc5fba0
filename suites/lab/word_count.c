// Counts words of standard input in a hash table with chains.
// run: < "a b a c b a\n"
// run: < ""
// run: -n < "one two one\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 7

struct entry {
    char *word;
    int count;
    struct entry *next;
};

struct table {
    struct entry *buckets[BUCKETS];
};

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h % BUCKETS;
}

static int count_word(struct table *t, char *word) {
    struct entry **slot = &t->buckets[hash(word)];
    for (struct entry *e = *slot; e != NULL; e = e->next) {
        if (strcmp(e->word, word) == 0) {
            e->count++;
            return 0;
        }
    }
    struct entry *e = malloc(sizeof *e);
    if (e == NULL) return -1;
    e->word = word;
    e->count = 1;
    e->next = *slot;
    *slot = e;
    return 0;
}

static void clear(struct table *t) {
    for (int i = 0; i < BUCKETS; i++) {
        struct entry *e = t->buckets[i];
        while (e) {
            struct entry *dead = e;
            e = e->next;
            free(dead->word);
            free(dead);
        }
    }
}

int main(int argc, char **argv) {
    struct table t = {{0}};
    char word[32];
    while (scanf("%31s", word) == 1) {
        char *copy = strdup(word);
        if (copy == NULL || count_word(&t, copy) != 0) break;
    }
    int total = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *e = t.buckets[i]; e; e = e->next) total += e->count;
    if (argc > 1) printf("total %d\n", total);
    clear(&t);
    return 0;
}
