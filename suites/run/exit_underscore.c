// _Exit skips atexit handlers; flushed output remains.
#include <stdio.h>
#include <stdlib.h>
static void never(void) { puts("handler must not run"); }
int main(void) { atexit(never); puts("before"); fflush(stdout); _Exit(33); }
