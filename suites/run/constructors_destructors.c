// Constructor and destructor attributes with priorities around main and exit.
#include <stdio.h>
#include <stdlib.h>
static int order; static int table[4];
__attribute__((constructor(201))) static void second(void) { order = order * 10 + 2; table[1] = 22; }
__attribute__((constructor(200))) static void first(void) { order = order * 10 + 1; table[0] = 11; }
__attribute__((constructor)) static void last(void) { order = order * 10 + 3; puts("constructor"); }
__attribute__((destructor(200))) static void d2(void) { puts("destructor 200"); fflush(stdout); }
__attribute__((destructor(201))) static void d1(void) { puts("destructor 201"); }
static void at(void) { puts("atexit"); }
int main(void) {
    printf("%d %d %d\n", order, table[0], table[1]);
    atexit(at);
    if (order == 123) exit(9);
    return 1;
}
