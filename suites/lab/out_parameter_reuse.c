// The same variable receives the result of several calls.
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>

static int fetch(int key, char **value) {
    if (key % 2) return -1;
    *value = malloc(12);
    if (*value == NULL) return -1;
    snprintf(*value, 12, "v%d", key);
    return 0;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1;
    char *value = NULL;
    int misses = 0;
    for (int key = 0; key <= n; key++) {
        if (fetch(key, &value) != 0) {
            misses++;
            continue;
        }
        printf("%s\n", value);
    }
    printf("%d misses\n", misses);
    free(value);
    return 0;
}
// run:
