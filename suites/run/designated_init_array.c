// Array designators, GNU ranges, overriding, arrays sized by the largest index.
#include <stdio.h>
static int a[] = {[5] = 50, 60, [2] = 20, 30};
static char cls[256] = {['0' ... '9'] = 1, ['a' ... 'z'] = 2, ['A' ... 'Z'] = 2, ['_'] = 2, [' '] = 3, ['e'] = 4};
static const char *names[] = {[3] = "three", [1] = "one", "two"};
static int m[3][4] = {[1] = {1, 2}, [2][3] = 9, [0] = {[0 ... 3] = 7}};
static struct { int n; char s[4]; } rs[] = {[0 ... 2] = {5, "abc"}, [1].n = 6};
int main(void) {
    for (unsigned i = 0; i < sizeof a / sizeof *a; i++) printf("%d ", a[i]);
    puts("");
    const char *t = "x = 42 + End_e"; for (; *t; t++) printf("%d", cls[(unsigned char)*t]);
    puts("");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) printf("%s ", names[i] ? names[i] : "-");
    puts("");
    for (int i = 0; i < 3; i++) { for (int j = 0; j < 4; j++) printf("%d", m[i][j]); printf(" "); }
    puts("");
    for (int i = 0; i < 3; i++) printf("%d%s ", rs[i].n, rs[i].s);
    puts("");
    int loc[10] = {[0 ... 9] = 1, [3 ... 5] = 2, [4] = 3};
    int s = 0;
    for (int i = 0; i < 10; i++) s = s * 2 + loc[i];
    printf("%d %zu\n", s, sizeof a / sizeof *a);
    return s & 0x7f;
}
