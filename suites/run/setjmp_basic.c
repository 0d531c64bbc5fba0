// setjmp and longjmp with volatile locals, values, loops.
#include <stdio.h>
#include <setjmp.h>
static jmp_buf env;
static void thrower(int n) {
    if (n == 0) longjmp(env, 42);
    thrower(n - 1);
    printf("not reached\n");
}
static int attempt(int v) {
    volatile int stage = 0;
    int r = setjmp(env);
    if (r == 0) {
        stage = 1;
        if (v) thrower(v);
        stage = 2;
        return stage;
    }
    return r * 10 + stage;
}
int main(void) {
    printf("%d %d\n", attempt(0), attempt(3));
    volatile int count = 0;
    int r = setjmp(env);
    count++;
    printf("r %d count %d\n", r, count);
    if (count < 4) longjmp(env, count);
    printf("%d\n", count);
    switch (setjmp(env)) {
        case 0: puts("first");
        longjmp(env, 0);
        case 1: puts("zero became one");
        longjmp(env, 2);
        case 2: puts("two");
        break;
        default: puts("?");
    }
    if (setjmp(env) == 0) { puts("try"); longjmp(env, -7); } else puts("catch");
    return count;
}
