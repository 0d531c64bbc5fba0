// Falling off main returns 0; atexit after return; statuses are taken modulo 256.
#include <stdio.h>
#include <stdlib.h>
static int calls; static void h(void) { printf("handler %d\n", calls); }
static int f(int x) { calls++; if (x > 3) return x; return f(x + 1) + 1; }
int main(void) { atexit(h); printf("%d\n", f(0)); if (calls == 99) return 7; puts("falling off"); }
