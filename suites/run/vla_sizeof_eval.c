// sizeof and typeof of a variably modified type evaluate their size expression.
#include <stdio.h>
static int calls; static int f(void) { return ++calls + 2; }
int main(void) {
    int n = 4;
    printf("%zu", sizeof(int[n++])); printf(" %d\n", n);
    printf("%zu", sizeof(int[f()])); printf(" %d\n", calls);
    int a[n]; typeof(a) b; n = 50; b[4] = 3; printf("%zu %zu\n", sizeof a, sizeof b);
    typedef char row[n]; n = 7; row r; printf("%zu %d\n", sizeof r, n);
    row *p = &r; (*p)[49] = 'q'; printf("%c %zu\n", r[49], sizeof *p);
    int (*q)[n] = 0; n = 9; printf("%zu\n", sizeof *q);
    printf("%zu %d\n", sizeof(f()), calls);
    int m = 3;
    int t[m][m + 1];
    m = 0;
    printf("%zu %zu\n", sizeof t / sizeof t[0], sizeof t[0] / sizeof t[0][0]);
    for (int i = 1; i <= 3; i++) { typedef int vec[i]; vec v; printf("%zu ", sizeof v / sizeof *v); }
    puts("");
    return calls;
}
