// Passing assertions evaluate their condition once; NDEBUG removes them.
#include <stdio.h>
#include <assert.h>
static int calls; static int yes(void) { return ++calls; }
static int on(void) { assert(yes()); assert(calls == 1); assert(yes() && "text"); return calls; }
#undef assert
#define NDEBUG
#include <assert.h>
static int off(void) { assert(yes()); assert(0); return calls; }
int main(void) {
    int a = on(), b = off();
    printf("%d %d\n", a, b);
    if (a) assert(b);
    else puts("not here");
    return a + b;
}
