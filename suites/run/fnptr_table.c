// Tables of function pointers, in structs and arrays.
#include <stdio.h>
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; } static int dvd(int a, int b) { return b ? a / b : 0; }
static int (*const ops[])(int, int) = {add, sub, mul, dvd, [6] = add};
struct cmd { char c; int (*fn)(int, int); const char *name; };
static const struct cmd cmds[] = {{'+', add, "add"}, {'-', &sub, "sub"}, {'*', mul, "mul"}, {'/', dvd, "div"}};
static const struct cmd *find(char c) {
    for (unsigned i = 0; i < sizeof cmds / sizeof *cmds; i++) if (cmds[i].c == c) return &cmds[i];
    return 0;
}
static int (*pick(int k))(int, int) { return k & 1 ? sub : add; }
int main(void) {
    for (int i = 0; i < 7; i++) if (ops[i]) printf("%d ", ops[i](12, 4)); puts("");
    const char *prog = "5+3*2-4/3";
    int acc = 5;
    for (const char *p = prog + 1; *p; p += 2) {
        const struct cmd *c = find(*p);
        acc = c->fn(acc, p[1] - '0');
        printf("%s %d\n", c->name, acc);
    }
    printf("%d %d\n", pick(0)(1, 2), (*pick(1))(1, 2));
    printf("%d %d\n", pick(2) == add, ops[4] == 0);
    int (*f)(int, int) = acc > 2 ? mul : dvd; f = *f; printf("%d\n", f(6, 7));
    printf("%d\n", (acc ? add : sub)(1, 1));
    return find('/')->fn(84, 2);
}
