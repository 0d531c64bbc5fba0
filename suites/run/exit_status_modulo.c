// exit(256 + 5) is status 5 to the parent.
#include <stdio.h>
#include <stdlib.h>
int main(void) { puts("exiting with 261"); exit(261); }
