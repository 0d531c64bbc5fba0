// abort ends the program by SIGABRT after its output was flushed.
#include <stdio.h>
#include <stdlib.h>
static void never(void) { puts("handler must not run"); fflush(stdout); }
int main(void) { atexit(never); puts("about to abort"); fflush(stdout); abort(); }
