// A lexer whose states are labels.
#include <stdio.h>
static int lex(const char *p) {
    int words = 0, nums = 0, ops = 0; const char *s;
start: switch (*p) {
    case 0: goto end;
    case ' ': p++;
    goto start;
}
if (*p >= '0' && *p <= '9') goto num;
if ((*p | 32) >= 'a' && (*p | 32) <= 'z') goto word;
goto op;
num: s = p;
num2: if (*++p >= '0' && *p <= '9') goto num2;
if (*p == '.') { p++; goto frac; }
nums++;
printf("n:%.*s ", (int)(p - s), s);
goto start;
frac: if (*p >= '0' && *p <= '9') { p++; goto frac; }
nums += 10;
printf("f:%.*s ", (int)(p - s), s);
goto start;
word: s = p;
do p++;
while ((*p | 32) >= 'a' && (*p | 32) <= 'z');
words++;
printf("w:%.*s ", (int)(p - s), s);
goto start;
op: printf("o:%c ", *p); ops++; p++; goto start;
end: puts(""); return words * 100 + nums * 10 + ops;
}
int main(void) {
    int a = lex("x1 = 42 + foo*3.14");
    printf("%d\n", a);
    printf("%d\n", lex(""));
    printf("%d\n", lex("((a)) 7.."));
    return a & 0x7f;
}
