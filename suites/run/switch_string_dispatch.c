// Dispatch on strings by hash computed at compile time and by nested switches.
#include <stdio.h>
#include <string.h>
#define H1(s, i) ((i) < sizeof(s) - 1 ? (unsigned char)(s)[i] : 0)
static unsigned hs(const char *s) {
    unsigned h = 0;
    while (*s) h = h * 5 + (unsigned char)*s++;
    return h % 64;
}
static int cmd(const char *s) {
    switch (s[0]) {
        case 'g': switch (s[1]) {
            case 'e': return !strcmp(s, "get") ? 1 : !strcmp(s, "getall") ? 2 : 0;
            case 'o': return strcmp(s, "go") == 0 ? 3 : 0;
        }
        break;
        case 'p': if (!strcmp(s, "put")) return 4;
        /* fall through */ case 'q': return strlen(s) > 3 ? 5 : 6;
        case 0: return -1;
    }
    return 0;
}
int main(void) {
    const char *ts[] = {"get", "getall", "gex", "go", "gone", "put", "pop", "push", "quit", "q", "", "zzz"};
    int s = 0;
    for (unsigned i = 0; i < sizeof ts / sizeof *ts; i++) {
        int r = cmd(ts[i]);
        printf("%s:%d:%u ", ts[i], r, hs(ts[i]));
        s = s * 3 + r;
    }
    puts("");
    switch (H1("abc", 1)) {
        case 'b': puts("b");
        break;
        default: puts("?");
    }
    return s & 0x7f;
}
