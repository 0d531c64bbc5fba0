// atexit handlers run in reverse order, also those registered by handlers.
#include <stdio.h>
#include <stdlib.h>
static int n;
static void late(void) { printf("late %d\n", ++n); }
static void a(void) { printf("a %d\n", ++n); }
static void b(void) { printf("b %d\n", ++n); atexit(late); }
static void c(void) { printf("c %d\n", ++n); fflush(stdout); }
static void deep(int k) { if (k == 0) exit(21); deep(k - 1); }
int main(void) { atexit(a); atexit(b); atexit(c); atexit(a); puts("main"); deep(5); return 1; }
