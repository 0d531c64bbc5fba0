// continue in for runs the step; in while and do-while runs the test.
#include <stdio.h>
int main(void) {
    int steps = 0, tests = 0;
    for (int i = 0; tests++, i < 6; steps++, i++) {
        if (i & 1) continue;
        if (i == 4) break;
    }
    printf("%d %d\n", steps, tests);
    int i = 0;
    tests = 0;
    do {
        i++;
        if (i < 4) continue;
        i += 10;
    } while (tests++, i < 20);
    printf("%d %d\n", i, tests);
    i = 0;
    tests = 0;
    while (tests++, i++ < 7) { if (i % 3) continue; printf("%d ", i); }
    printf("| %d %d\n", i, tests);
    int n = 0;
    for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) {
        if (a == b) goto next;
        n = n * 3 % 1009 + a * 4 + b;
        next:;
    }
    printf("%d\n", n);
    for (int a = 10; a-- > 0;) {
        switch (a) {
            case 5: continue;
            case 2: break;
            default: n += a;
            continue;
        }
        printf("%d ", a);
        break;
    }
    printf("%d\n", n);
    do { if (n) continue; puts("never"); } while (n = 0);
    printf("%d\n", n);
    unsigned u = 5;
    while (u-- > 0) n += u;
    printf("%d %u\n", n, u);
    return steps;
}
