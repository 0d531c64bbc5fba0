// A try/catch/finally built on a stack of jump buffers.
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
struct handler { jmp_buf jb; struct handler *up; }; static struct handler *top; static int depth;
static void throw_(int code) {
    if (!top) { printf("uncaught %d\n", code); exit(3); }
    struct handler *h = top;
    top = h->up;
    longjmp(h->jb, code);
}
#define TRY(e) { struct handler h_; h_.up = top; top = &h_; int e = setjmp(h_.jb); if (e == 0) {
#define CATCH(e) top = h_.up; } else {
#define END } }
static void inner(int x) {
    depth++;
    if (x == 1) throw_(11);
    if (x == 2) throw_(22);
    printf("inner ok %d\n", x);
    depth--;
}
static void middle(int x) {
    TRY(e) inner(x);
    CATCH(e) printf("middle caught %d\n", e);
    if (e == 22) throw_(e + 1);
    END puts("middle done");
}
int main(void) {
    for (volatile int i = 0; i < 3; i++) {
        TRY(e) middle(i);
        puts("after middle");
        CATCH(e) printf("main caught %d\n", e);
        END
    }
    printf("%d %d\n", depth, top == 0);
    middle(2);
    return 1;
}
