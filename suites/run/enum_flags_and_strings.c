// Flag sets printed by name; enum-indexed tables by X-macro.
#include <stdio.h>
#include <string.h>
#define PERMS(X) X(READ, 'r') X(WRITE, 'w') X(EXEC, 'x') X(SUID, 's')
enum idx {
#define X(n, c) I_##n,
    PERMS(X) I_COUNT
#undef X
}; enum perm {
#define X(n, c) P_##n = 1 << I_##n,
    PERMS(X) P_ALL = (1 << I_COUNT) - 1
#undef X
}; static const struct { const char *name; char c; } info[] = {
#define X(n, ch) [I_##n] = {#n, ch},
    PERMS(X)
#undef X
};
static void show(enum perm p) {
    char b[8];
    int n = 0;
    for (enum idx i = 0; i < I_COUNT; i++) b[n++] = p & 1 << i ? info[i].c : '-';
    b[n] = 0;
    printf("%s", b);
    for (int i = 0; i < I_COUNT; i++) if (p & 1 << i) printf(" %s", info[i].name);
    puts("");
}
static enum perm parse(const char *s) {
    enum perm p = 0;
    for (; *s; s++) for (int i = 0; i < I_COUNT; i++) if (info[i].c == *s) p |= 1 << i;
    return p;
}
int main(void) {
    show(P_READ | P_EXEC);
    show(P_ALL & ~P_WRITE);
    show(0);
    show(parse("wsx"));
    enum perm q = parse("rw");
    q ^= P_ALL;
    show(q);
    printf("%d %d %zu\n", I_COUNT, P_ALL, sizeof info / sizeof *info);
    return q;
}
