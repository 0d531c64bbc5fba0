// Retrying an operation that fails a number of times.
#include <stdio.h>
#include <setjmp.h>
static jmp_buf again; static int budget = 3;
static int fragile(int x) {
    if (budget-- > 0) { printf("failing, %d left\n", budget); longjmp(again, budget + 1); }
    return x * 2;
}
int main(void) {
    volatile int tries = 0; volatile int acc = 100;
    int code = setjmp(again); tries++; acc += code;
    int v = fragile(21); printf("%d %d %d\n", v, tries, acc);
    jmp_buf local; volatile int n = 0;
    if (setjmp(local) < 3) { n++; longjmp(local, n); }
    printf("%d\n", n);
    return v;
}
