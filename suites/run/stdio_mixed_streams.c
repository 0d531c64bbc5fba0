// stdout and stderr are separate; output counts returned by each call.
#include <stdio.h>
int main(void) {
    int n = 0;
    n += fprintf(stdout, "out %d\n", 1);
    n += fprintf(stderr, "err %d\n", 22);
    for (int i = 0; i < 3; i++) fputc("abc"[i], i % 2 ? stderr : stdout);
    fputs("\n", stdout);
    fputs("\n", stderr);
    n += printf("%s", "tail\n");
    fflush(NULL);
    FILE *s[2] = {stdout, stderr};
    for (int i = 0; i < 4; i++) fprintf(s[i & 1], "line %d\n", i);
    return n;
}
