// All permutations of a word; those that are palindromes are kept.
// run: aab
// run: ab
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept[32];
static int count;

static int palindrome(const char *s) {
    for (size_t i = 0, j = strlen(s); i + 1 < j; i++)
        if (s[i] != s[--j]) return 0;
    return 1;
}

static void permute(char *s, size_t from) {
    if (s[from] == '\0') {
        if (palindrome(s) && count < 32) kept[count++] = strdup(s);
        return;
    }
    for (size_t i = from; s[i]; i++) {
        char t = s[from];
        s[from] = s[i], s[i] = t;
        permute(s, from + 1);
        t = s[from];
        s[from] = s[i], s[i] = t;
    }
}

int main(int argc, char **argv) {
    char *word = strdup(argv[argc - 1]);
    if (word == NULL) return 3;
    permute(word, 0);
    free(word);
    printf("%d\n", count);
    while (count > 0) {
        free(kept[--count]);
        kept[count] = NULL;
    }
    return 0;
}
