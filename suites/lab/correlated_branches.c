// The same condition decides about the making and the releasing.
// run: v 3
// run: q 3
// run: v 0
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int verbose = argv[1][0] == 'v';
    int count = atoi(argv[2]);
    char *report = NULL;
    int sum = 0;
    if (verbose) {
        report = malloc(40);
        if (report == NULL) return 3;
        report[0] = '\0';
    }
    for (int i = 0; i < count; i++) {
        sum += i;
        if (verbose) snprintf(report, 40, "sum is %d", sum);
    }
    if (verbose) {
        puts(report);
        free(report);
    } else {
        printf("%d\n", sum);
    }
    return 0;
}
// run: v
