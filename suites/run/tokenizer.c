// A tokenizer for a C-like language into a token array.
#include <stdio.h>
#include <string.h>
#include <ctype.h>
enum kind { ID, NUM, STR, OP, KW, END };
struct tok { enum kind k; const char *s; int n; };
static const char *const kws[] = {"if", "while", "return", "int"};
static const char *const ops2[] = {"==", "!=", "<=", ">=", "&&", "||", "++", "->"};
static struct tok next(const char **pp) {
    const char *p = *pp;
    for (;;) {
        while (isspace((unsigned char)*p)) p++;
        if (p[0] == '/' && p[1] == '/') { while (*p && *p != '\n') p++; continue; }
        if (p[0] == '/' && p[1] == '*') { p = strstr(p + 2, "*/") + 2; continue; }
        break;
    }
    struct tok t = {END, p, 0};
    if (!*p) ;
    else if (isalpha((unsigned char)*p) || *p == '_') {
        t.k = ID;
        while (isalnum((unsigned char)*p) || *p == '_') p++;
        for (unsigned i = 0; i < sizeof kws / sizeof *kws; i++) if (strlen(kws[i]) == (size_t)(p - t.s) && !strncmp(kws[i], t.s, p - t.s)) t.k = KW;
    } else if (isdigit((unsigned char)*p)) {
        t.k = NUM;
        while (isalnum((unsigned char)*p) || *p == '.') p++;
    } else if (*p == '"') {
        t.k = STR;
        for (p++; *p != '"'; p++) if (*p == '\\') p++;
        p++;
    } else {
        t.k = OP;
        int two = 0;
        for (unsigned i = 0; i < sizeof ops2 / sizeof *ops2; i++) two |= !strncmp(p, ops2[i], 2);
        p += 1 + two;
    }
    t.n = p - t.s;
    *pp = p;
    return t;
}
int main(void) { const char *src = "int main(void) { // entry\n  while (a_1 <= 0x1F && b->c != \"q\\\"x\") i++; /* gone */ return 3.5 == x; }"; static const char names[] = "INSOKE"; int count[6] = {0}; struct tok t; do { t = next(&src); count[t.k]++; printf("%c:%.*s ", names[t.k], t.n, t.s); } while (t.k != END); puts(""); for (int i = 0; i < 6; i++) printf("%d ", count[i]); puts(""); return count[OP]; }
