// Copies of a message go to every subscriber's inbox.
// run: 2
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inbox {
    char *letters[2];
    int count;
};

static int deliver(struct inbox *box, const char *text) {
    char *copy = strdup(text);
    if (copy == NULL) return -1;
    if (box->count >= 2) {
        free(copy);
        return -1;
    }
    box->letters[box->count++] = copy;
    return 0;
}

static int broadcast(struct inbox *boxes, int n, const char *text) {
    int refused = 0;
    for (int i = 0; i < n; i++) refused += deliver(&boxes[i], text) != 0;
    return refused;
}

int main(int argc, char **argv) {
    int messages = atoi(argv[argc - 1]), refused = 0;
    struct inbox *boxes = calloc(2, sizeof *boxes);
    if (boxes == NULL) return 3;
    for (int i = 0; i < messages; i++) refused += broadcast(boxes, 2, "hello");
    printf("%d refused\n", refused);
    for (int i = 0; i < boxes[0].count; i++) free(boxes[0].letters[i]);
    free(boxes);
    return 0;
}
