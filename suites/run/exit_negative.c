// A negative status wraps to a byte.
#include <stdio.h>
int main(void) { puts("returning -1"); return -1; }
