// Plain switches, default in every position, no match.
#include <stdio.h>
static int a(int x) {
    switch (x) {
        case 1: return 10;
        case 2: return 20;
        default: return -1;
        case 3: return 30;
    }
}
static int b(int x) {
    int r = 0;
    switch (x) {
        default: r = 99;
        break;
        case 0: r = 1;
        break;
        case -5: r = 2;
    }
    return r;
}
static int c(int x) { int r = 7; switch (x) { case 4: r = 4; } return r; }
static int d(int x) { switch (x) ; switch (x) { } switch (x) case 3: return 33; return 0; }
static int e(unsigned char x) {
    switch (x) {
        case 255: return 1;
        case 0: return 2;
        case 'a': return 3;
    }
    return 4;
}
static int sparse(int x) {
    switch (x) {
        case -2147483647 - 1: return 1;
        case 2147483647: return 2;
        case 0: return 3;
        case 1000000: return 4;
        case -77: return 5;
    }
    return 0;
}
int main(void) {
    for (int i = 0; i < 5; i++) printf("%d ", a(i)); puts("");
    printf("%d %d %d\n", b(0), b(-5), b(8)); printf("%d %d %d %d\n", c(4), c(5), d(3), d(4));
    printf("%d %d %d %d\n", e(255), e(256), e('a'), e(9));
    int xs[] = {-2147483647 - 1, 2147483647, 0, 1000000, -77, 1};
    for (int i = 0; i < 6; i++) printf("%d ", sparse(xs[i]));
    puts("");
    int n = 0; switch (n++) { case 0: printf("n=%d\n", n); } return a(3);
}
