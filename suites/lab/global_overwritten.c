// A message buffer that functions set for their callers.
// run: 1
// run: 2
// run: 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *message;

static void set_message(const char *text) {
    message = strdup(text);
}

static void clear_message(void) {
    free(message);
    message = NULL;
}

static int divide(int a, int b, int *result) {
    if (b == 0) {
        set_message("division by zero");
        return 0;
    }
    if (a % b) {
        set_message("not exact");
        return 0;
    }
    *result = a / b;
    return 1;
}

int main(int argc, char **argv) {
    int which = atoi(argv[argc - 1]), r = 0;
    int ok = divide(8, 2, &r);
    if (which >= 2) ok &= divide(7, 2, &r);
    if (which >= 3) ok &= divide(7, 0, &r);
    if (!ok) fprintf(stderr, "%s\n", message ? message : "");
    clear_message();
    return !ok;
}
