// The last result is kept for the next question.
// run: 3 3 4
// run: 1
#include <stdio.h>
#include <stdlib.h>

static int last_n = -1;
static int *last_squares;

static const int *squares(int n) {
    if (n == last_n) return last_squares;
    int *s = malloc((size_t)(n + 1) * sizeof *s);
    if (s == NULL) return NULL;
    for (int i = 0; i <= n; i++) s[i] = i * i;
    last_n = n;
    last_squares = s;
    return s;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int n = atoi(argv[i]);
        const int *s = squares(n);
        if (s) printf("%d\n", s[n]);
    }
    return 0;
}
