// scanf of mixed tokens until a failure, then recovery.
#include <stdio.h>
int main(void) {
    int n, sum = 0, x;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) { if (scanf("%d", &x) != 1) return 2; sum += x; }
    printf("%d %d\n", n, sum);
    char name[16];
    double v;
    while (scanf("%15s %lf", name, &v) == 2) {
        printf("%s=%.2f\n", name, v);
        if (name[0] == '!') break;
    }
    int r = scanf("%d", &x);
    printf("%d\n", r);
    char junk[16];
    r = scanf("%15[^0-9]%d", junk, &x);
    printf("%d [%s] %d\n", r, junk, x);
    char c;
    r = scanf(" %c%c", &c, junk);
    printf("%d %c %d\n", r, c, junk[0]);
    r = scanf("%d/%d/%d", &x, &n, &sum);
    printf("%d %d %d %d\n", r, x, n, sum);
    r = scanf("%d", &x);
    printf("%d\n", r);
    return n;
}
