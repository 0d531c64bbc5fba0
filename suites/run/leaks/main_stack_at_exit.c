// leaks: none
// exit() is called while main still holds the pointer: reachable from a live frame.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 6;
    printf("%d\n", *p);
    exit(*p);
}
