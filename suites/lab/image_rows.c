// Loads an image of rows; a bad pixel stops the loading.
// run: 3 < "abc\ndef\nghi\n"
// run: 3 < "abc\ndXf\nghi\n"
// run: 9 < "abc\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct image {
    int height;
    char **rows;
};

static int load(struct image *im, int height) {
    char line[80];
    im->height = height;
    im->rows = calloc((size_t)height, sizeof *im->rows);
    if (im->rows == NULL) return -1;
    for (int i = 0; i < height; i++) {
        if (fgets(line, sizeof line, stdin) == NULL) {
            im->height = i;
            return 0;
        }
        im->rows[i] = strdup(line);
        if (im->rows[i] == NULL || strchr(line, 'X') != NULL) {
            free(im->rows);
            return -1;
        }
    }
    return 0;
}

static void unload(struct image *im) {
    for (int i = 0; i < im->height; i++) free(im->rows[i]);
    free(im->rows);
}

int main(int argc, char **argv) {
    struct image im;
    if (load(&im, argc > 1 ? atoi(argv[1]) : 1) != 0) {
        fputs("cannot load\n", stderr);
        return 1;
    }
    printf("%d rows\n", im.height);
    unload(&im);
    return 0;
}
// run: < "a\n"
