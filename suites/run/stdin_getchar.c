// Word, line and character counts with getchar; a histogram.
#include <stdio.h>
#include <ctype.h>
int main(void) {
    int c, lines = 0, words = 0, chars = 0, in = 0, hist[26] = {0};
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n') lines++;
        if (isspace(c)) in = 0;
        else if (!in) { in = 1; words++; }
        if (isalpha(c)) hist[tolower(c) - 'a']++;
    }
    printf("%d %d %d\n", lines, words, chars);
    for (int i = 0; i < 26; i++) if (hist[i]) printf("%c%d ", 'a' + i, hist[i]);
    puts("");
    printf("%d %d\n", getchar() == EOF, feof(stdin) != 0);
    return words;
}
