// Splits a pair at a sign; both halves go out through parameters.
// run: a=b
// run: ab
// run: =b
// run: a=
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int split(const char *text, char sign, char **left, char **right) {
    const char *at = strchr(text, sign);
    if (at == NULL) return 0;
    *left = strndup(text, (size_t)(at - text));
    *right = strdup(at + 1);
    if (*left == NULL || *right == NULL) {
        free(*left);
        free(*right);
        return 0;
    }
    return 1;
}

static int describe(const char *text) {
    char *left, *right;
    if (!split(text, '=', &left, &right)) return 1;
    if (left[0] == '\0') {
        free(right);
        return 2;
    }
    if (right[0] == '\0') {
        free(left);
        free(right);
        return 3;
    }
    printf("%s is %s\n", left, right);
    free(left);
    free(right);
    return 0;
}

int main(int argc, char **argv) {
    return describe(argv[argc - 1]);
}
