// Own versions of reversal, case, rotation, run-length coding, hex.
#include <stdio.h>
#include <string.h>
#include <ctype.h>
static char *rev(char *s) {
    for (int i = 0, j = strlen(s) - 1; i < j; i++, j--) {
        char t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
    return s;
}
static void rle(const char *s, char *o) {
    while (*s) {
        int n = 1;
        while (s[n] == *s) n++;
        o += n > 1 ? sprintf(o, "%d%c", n, *s) : sprintf(o, "%c", *s);
        s += n;
    }
    *o = 0;
}
static void unrle(const char *s, char *o) {
    while (*s) {
        int n = 0;
        while (isdigit((unsigned char)*s)) n = n * 10 + *s++ - '0';
        if (!n) n = 1;
        while (n--) *o++ = *s;
        s++;
    }
    *o = 0;
}
static void rot(char *s, int k) {
    for (; *s; s++) if (isupper((unsigned char)*s)) *s = 'A' + (*s - 'A' + k) % 26;
    else if (islower((unsigned char)*s)) *s = 'a' + (*s - 'a' + k) % 26;
}
static void hex(const char *s, char *o) {
    static const char d[] = "0123456789abcdef";
    for (; *s; s++) { *o++ = d[(unsigned char)*s >> 4]; *o++ = d[*s & 15]; }
    *o = 0;
}
static void title(char *s) {
    int w = 1;
    for (; *s; s++) {
        *s = w ? toupper((unsigned char)*s) : tolower((unsigned char)*s);
        w = !isalpha((unsigned char)*s);
    }
}
int main(void) {
    char a[64] = "Hello, World", b[128], c[128];
    puts(rev(a));
    rev(a);
    rot(a, 13);
    puts(a);
    rot(a, 13);
    puts(a);
    rle("aaabccdddddddddddd", b);
    puts(b);
    unrle(b, c);
    puts(c);
    hex("Hi\xff", b);
    puts(b);
    strcpy(a, "the qUICK brown-fox");
    title(a);
    puts(a);
    int v = 0;
    for (char *p = a; *p; p++) v += strchr("aeiouAEIOU", *p) != NULL;
    printf("%d\n", v);
    return v;
}
