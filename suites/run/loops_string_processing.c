// Loops over text: word wrap, caesar, anagram check, longest word, vowels.
#include <stdio.h>
#include <string.h>
#include <ctype.h>
static void wrap(const char *s, int w) {
    int col = 0;
    while (*s) {
        int n = strcspn(s, " ");
        if (col && col + 1 + n > w) { putchar('\n'); col = 0; }
        if (col) { putchar(' '); col++; }
        printf("%.*s", n, s);
        col += n;
        s += n;
        while (*s == ' ') s++;
    }
    putchar('\n');
}
static int anagram(const char *a, const char *b) {
    int c[26] = {0};
    for (; *a; a++) if (isalpha((unsigned char)*a)) c[tolower((unsigned char)*a) - 'a']++;
    for (; *b; b++) if (isalpha((unsigned char)*b)) c[tolower((unsigned char)*b) - 'a']--;
    for (int i = 0; i < 26; i++) if (c[i]) return 0;
    return 1;
}
int main(void) {
    const char *t = "static analysis proves the absence of some errors and the presence of none";
    wrap(t, 20);
    wrap("x", 1);
    wrap("", 5);
    printf("%d %d\n", anagram("Dormitory", "dirty room"), anagram("abc", "abd"));
    const char *best = t;
    int bn = 0;
    for (const char *p = t; *p;) {
        int n = strcspn(p, " ");
        if (n > bn) { bn = n; best = p; }
        p += n + (p[n] != 0);
    }
    printf("%.*s\n", bn, best);
    int v = 0, i = 0;
    do switch (t[i]) { case 'a': case 'e': case 'i': case 'o': case 'u': v++; }
    while (t[++i]);
    printf("%d\n", v);
    return v;
}
