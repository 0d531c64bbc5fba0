// Raises a two by two matrix to a power by repeated squaring.
// run: 1
// run: 5
// run: 8
// run: 0
#include <stdio.h>
#include <stdlib.h>

static long *times(const long *a, const long *b) {
    long *c = malloc(4 * sizeof *c);
    if (c == NULL) exit(3);
    c[0] = a[0] * b[0] + a[1] * b[2];
    c[1] = a[0] * b[1] + a[1] * b[3];
    c[2] = a[2] * b[0] + a[3] * b[2];
    c[3] = a[2] * b[1] + a[3] * b[3];
    return c;
}

static long *power(const long *base, int n) {
    long *result = malloc(4 * sizeof *result), *square = malloc(4 * sizeof *square);
    if (!result || !square) exit(3);
    for (int i = 0; i < 4; i++) {
        result[i] = i % 3 == 0;
        square[i] = base[i];
    }
    while (n > 0) {
        if (n & 1) {
            long *next = times(result, square);
            free(result);
            result = next;
        }
        n >>= 1;
        square = times(square, square);
    }
    free(square);
    return result;
}

int main(int argc, char **argv) {
    const long fibonacci[4] = {1, 1, 1, 0};
    long *p = power(fibonacci, atoi(argv[argc - 1]));
    printf("%ld\n", p[1]);
    free(p);
    return 0;
}
