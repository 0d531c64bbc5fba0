// Closing twice is harmless, because closing forgets the parts.
// run: 0
// run: 2
#include <stdio.h>
#include <stdlib.h>

struct device { char *name; int *registers; };

static void device_close(struct device *d) {
    free(d->name);
    free(d->registers);
    d->name = NULL;
    d->registers = NULL;
}

static int device_open(struct device *d, int count) {
    d->name = malloc(16);
    d->registers = calloc((size_t)count, sizeof *d->registers);
    if (d->name == NULL || d->registers == NULL) {
        device_close(d);
        return -1;
    }
    snprintf(d->name, 16, "dev%d", count);
    return 0;
}

int main(int argc, char **argv) {
    struct device d = {NULL, NULL};
    if (device_open(&d, 4) == 0) puts(d.name);
    for (int i = 0; i < atoi(argv[argc - 1]); i++) device_close(&d);
    return 0;
}
