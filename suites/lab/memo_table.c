// Fibonacci numbers with a table that grows when asked for more.
// run: 10 5 20
// run: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct memo {
    long *known;
    int count;
};

static int extend(struct memo *m, int n) {
    if (n < m->count) return 0;
    long *known = calloc((size_t)n + 1, sizeof *known);
    if (known == NULL) return -1;
    if (m->count > 0) memcpy(known, m->known, (size_t)m->count * sizeof *known);
    free(m->known);
    m->known = known;
    for (int i = m->count; i <= n; i++) known[i] = i < 2 ? i : known[i - 1] + known[i - 2];
    m->count = n + 1;
    return 0;
}

int main(int argc, char **argv) {
    struct memo m = {NULL, 0};
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        if (extend(&m, n) != 0) break;
        printf("%ld\n", m.known[n]);
    }
    free(m.known);
    return 0;
}
