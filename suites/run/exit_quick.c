// quick_exit runs at_quick_exit handlers only.
#include <stdio.h>
#include <stdlib.h>
static void q1(void) { puts("q1"); }
static void q2(void) { puts("q2"); fflush(stdout); }
static void no(void) { puts("no"); }
int main(void) {
    atexit(no);
    at_quick_exit(q2);
    at_quick_exit(q1);
    puts("main");
    fflush(stdout);
    quick_exit(12);
}
