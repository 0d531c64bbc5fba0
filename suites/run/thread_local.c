// _Thread_local storage in a single thread.
#include <stdio.h>
static _Thread_local int a = 5;
_Thread_local int b;
static __thread char buf[16] = "tls";
extern _Thread_local int c;
static __thread struct { int x; double d; } s = {1, 2.5};
static int bump(void) { static _Thread_local int n = 100; return n++; } static int *where(void) { return &a; }
int main(void) {
    a += 2;
    b = a * 2;
    c++;
    buf[0] = 'T';
    s.d *= 2;
    printf("%d %d %d %s %d %g\n", a, b, c, buf, s.x, s.d);
    bump();
    bump();
    printf("%d\n", bump());
    *where() = 40;
    printf("%d\n", a);
    int *p = &b;
    ++*p;
    printf("%d\n", b);
    return a;
}
_Thread_local int c = 9;
