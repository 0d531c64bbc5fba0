// Partial, elided, string and empty initialisers, static and automatic.
#include <stdio.h>
static int s1[5] = {1, 2}, s2[] = {1, 2, 3,}, s3[2][2] = {1, 2, 3}, s4[3];
static char t1[] = {'a', 'b', 0}, t2[5] = {"xy"}, t3[][3] = {"ab", {'c'}};
static const char *const p[] = {"zero", "one", 0};
int main(void) {
    int a1[5] = {1, 2}, a2[] = {[1] = 5}, a3[2][2] = {{1}, {2}}, a4[3] = {0}, a5[2] = {};
    for (int i = 0; i < 5; i++) printf("%d%d ", s1[i], a1[i]);
    printf("| %zu %zu\n", sizeof s2 / sizeof *s2, sizeof a2 / sizeof *a2);
    printf("%d %d %d %d\n", s3[1][0], s3[1][1], a3[0][1], a3[1][0]);
    printf("%d %d %d\n", s4[2], a4[2], a5[1]);
    printf("%s %s %s %s %zu %zu\n", t1, t2, t3[0], t3[1], sizeof t1, sizeof t3);
    int n = 0; for (const char *const *q = p; *q; q++) n += q[0][0];
    printf("%d\n", n);
    int x = 3, v[] = {x, x * x, x * x * x}; x = 0; printf("%d %d %d\n", v[0], v[1], v[2]);
    return v[2];
}
