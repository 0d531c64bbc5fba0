// Escapes, concatenation, embedded zeros, arrays from literals, prefixes.
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[] = "a\tb\\n\x41\102\"'\?"; printf("%zu [%s]\n", sizeof a, a);
    char b[] = "one" "two" /* c */ "three"; printf("%zu %s\n", strlen(b), b);
    char c[] = "in\0side"; printf("%zu %zu %s\n", sizeof c, strlen(c), c + 3);
    char d[3] = "abc"; printf("%c%c%c\n", d[0], d[1], d[2]);
    char e[8] = "ab"; int z = 0; for (int i = 0; i < 8; i++) z += e[i] == 0; printf("%d\n", z);
    const char *f = "line one\nline two\n" "\x20" "3"; fputs(f, stdout); puts("");
    printf("%c %c\n", "hello"[1], *("hello" + 4));
    printf("%zu %zu\n", sizeof "x", sizeof "");
    const char *g = u8"caf\u00e9"; printf("%zu\n", strlen(g));
    printf("%s\n", &"skipped prefix"[8]);
    printf("%d %d\n", "\1772"[0], "\1772"[1]);
    char h[2][4] = {"ab", "cde"}; printf("%s %.3s %zu\n", h[0], h[1], sizeof h);
    const char *tbl[] = {"a", "bc", "", "def"}; int n = 0; for (int i = 0; i < 4; i++) n += strlen(tbl[i]);
    printf("%s\n", __func__);
    return n;
}
