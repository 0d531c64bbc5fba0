// Arithmetic on characters: ROT, soundex, vowels, digit values, ASCII charts.
#include <stdio.h>
#include <string.h>
static void soundex(const char *s, char *o) {
    static const char map[] = "01230120022455012623010202";
    int n = 0;
    char last = 0;
    for (; *s && n < 4; s++) {
        if ((*s | 32) < 'a' || (*s | 32) > 'z') continue;
        char c = map[(*s | 32) - 'a'];
        if (n == 0) o[n++] = *s & ~32;
        else if (c != '0' && c != last) o[n++] = c;
        if ((*s | 32) != 'h' && (*s | 32) != 'w') last = c;
    }
    while (n < 4) o[n++] = '0';
    o[4] = 0;
}
int main(void) {
    const char *ns[] = {"Robert", "Rupert", "Ashcraft", "Tymczak", "Pfister", "Honeyman"};
    char o[5];
    for (int i = 0; i < 6; i++) { soundex(ns[i], o); printf("%s ", o); }
    puts("");
    for (int c = ' '; c < 127; c++) { putchar(c); if (c % 32 == 31) putchar('\n'); }
    putchar('\n');
    int luhn = 0;
    const char *card = "4539148803436467";
    for (int i = 0, n = strlen(card); i < n; i++) {
        int d = card[n - 1 - i] - '0';
        if (i & 1) { d *= 2; if (d > 9) d -= 9; }
        luhn += d;
    }
    printf("%d\n", luhn % 10);
    const char *isbn = "0306406152";
    int s = 0;
    for (int i = 0; i < 10; i++) s += (10 - i) * (isbn[i] - '0');
    printf("%d\n", s % 11);
    char key[] = "KEY", m[] = "attackatdawn";
    for (int i = 0; m[i]; i++) m[i] = (m[i] - 'a' + key[i % 3] - 'A') % 26 + 'a';
    puts(m);
    return luhn;
}
