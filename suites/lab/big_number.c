// The factorial of a number, digit by digit.
// run: 20
// run: 1
// run: -1
#include <stdio.h>
#include <stdlib.h>

struct big {
    unsigned char *digits;
    int count;
};

static int big_set(struct big *b, int n) {
    b->digits = malloc(1);
    if (b->digits == NULL) return -1;
    b->digits[0] = (unsigned char)n;
    b->count = 1;
    return 0;
}

static int big_times(struct big *b, int n) {
    int carry = 0;
    for (int i = 0; i < b->count; i++) {
        carry += b->digits[i] * n;
        b->digits[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    while (carry > 0) {
        unsigned char *more = realloc(b->digits, (size_t)b->count + 1);
        if (more == NULL) return -1;
        b->digits = more;
        b->digits[b->count++] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    return 0;
}

int main(int argc, char **argv) {
    int n = atoi(argv[argc - 1]), status = 0;
    struct big b;
    if (n < 0) return 1;
    if (big_set(&b, 1) != 0) return 3;
    for (int i = 2; i <= n && status == 0; i++) status = big_times(&b, i);
    for (int i = b.count; status == 0 && i-- > 0;) putchar('0' + b.digits[i]);
    putchar('\n');
    free(b.digits);
    return status != 0;
}
