// A failing check calls abort through a wrapper with a message on stderr.
#include <stdio.h>
#include <stdlib.h>
#define CHECK(c) ((c) ? (void)0 : fail(#c))
static _Noreturn void fail(const char *what) {
    fflush(stdout);
    fprintf(stderr, "check failed: %s\n", what);
    abort();
}
static int depth(int n) { CHECK(n < 4); printf("depth %d\n", n); return depth(n + 1) + 1; }
int main(void) { return depth(0); }
