// __builtin_unreachable after an exhaustive switch; trap not taken; noreturn flow.
#include <stdio.h>
#include <stdlib.h>
enum op { ADD, SUB, MUL };
static int ap(enum op o, int a, int b) {
    switch (o) {
        case ADD: return a + b;
        case SUB: return a - b;
        case MUL: return a * b;
    }
    __builtin_unreachable();
}
static const char *nm(unsigned x) {
    switch (x & 3) {
        case 0: return "zero";
        case 1: return "one";
        case 2: return "two";
        case 3: return "three";
        default: __builtin_unreachable();
    }
}
static int chk(int x) { if (x > 1000) __builtin_trap(); if (x > 900) abort(); return x; }
static int never(int x) { for (;;) { if (x > 10) return x; x *= 2; } }
int main(void) {
    int s = 0;
    for (enum op o = ADD; o <= MUL; o++) { s = s * 10 + ap(o, 6, 3); }
    printf("%d\n", s);
    for (unsigned i = 0; i < 6; i++) printf("%s ", nm(i));
    puts("");
    printf("%d %d\n", chk(5), never(3));
    return chk(42);
}
