// A trie of lower-case words with prefix counts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct t { struct t *kid[26]; int count, end; };
static int nodes;
static struct t *mk(void) { nodes++; return calloc(1, sizeof(struct t)); }
static void add(struct t *t, const char *w) {
    for (; *w; w++) {
        struct t **k = &t->kid[*w - 'a'];
        if (!*k) *k = mk();
        t = *k;
        t->count++;
    }
    t->end++;
}
static int prefix(const struct t *t, const char *w) {
    while (*w && t) t = t->kid[*w++ - 'a'];
    return t ? t->count : 0;
}
static void walk(const struct t *t, char *buf, int d) {
    if (t->end) { buf[d] = 0; printf("%s:%d ", buf, t->end); }
    for (int i = 0; i < 26; i++) if (t->kid[i]) {
        buf[d] = 'a' + i;
        walk(t->kid[i], buf, d + 1);
    }
}
static void drop(struct t *t) {
    for (int i = 0; i < 26; i++) if (t->kid[i]) drop(t->kid[i]);
    free(t);
}
int main(void) {
    struct t *r = mk();
    char text[] = "the cat then thaw the car cart that cat the", *s;
    for (s = strtok(text, " "); s; s = strtok(NULL, " ")) add(r, s);
    char b[32];
    walk(r, b, 0);
    puts("");
    printf("%d %d %d %d\n", prefix(r, "th"), prefix(r, "ca"), prefix(r, "cart"), prefix(r, "dog"));
    int n = nodes;
    drop(r);
    return n;
}
