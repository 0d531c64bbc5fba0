// Labels as values: a dispatch table interpreter.
#include <stdio.h>
enum { PUSH, ADD, MUL, DUP, JNZ, DEC, SWAP, PRINT, HALT };
static int run(const int *code) {
    static void *const tab[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&swap, &&print, &&halt};
    int st[16], *sp = st, n = 0; const int *pc = code;
#define NEXT do { n++; goto *tab[*pc++]; } while (0)
    NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += *sp; NEXT;
mul: sp--; sp[-1] *= *sp; NEXT;
dup: *sp = sp[-1]; sp++; NEXT;
jnz: if (sp[-1]) pc = code + *pc; else pc++; NEXT;
dec: sp[-1]--; NEXT;
swap: { int t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; } NEXT;
print: printf("%d\n", sp[-1]); NEXT;
halt: return n;
}
int main(void) {
    int p1[] = {PUSH, 6, PUSH, 7, MUL, PRINT, HALT};
    int p2[] = {PUSH, 1, PUSH, 5, SWAP, PUSH, 2, MUL, PRINT, SWAP, DEC, JNZ, 4, HALT};
    int a = run(p1), b = run(p2); printf("%d %d\n", a, b); return a + b;
}
