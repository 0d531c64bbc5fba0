// Case labels within nested blocks, ifs and loops; declarations skipped by the jump.
#include <stdio.h>
static int f(int x) {
    int r = 0;
    switch (x) {
        { case 0: r += 1; }
        if (r) { case 1: r += 10; } else { case 2: r += 100; }
        for (int i = 0; i < 2; i++) { r += 1000; if (0) case 3: i = 1, r += 5; }
        break;
        while (r < 30) { case 4: r += 7; }
    }
    return r;
}
static int g(int x) {
    switch (x) {
        int k;
        case 1: k = 5;
        goto use;
        case 2: k = 6;
        use: return k * 10;
        default: k = 0;
        return k;
    }
}
static int h(int x) {
    int n = 0;
    switch (x) case 1: if (n == 0) case 2: n += 3;
    else case 3: n += 4;
    return n;
}
int main(void) {
    for (int i = 0; i < 6; i++) printf("%d ", f(i));
    puts("");
    for (int i = 0; i < 4; i++) printf("%d ", g(i));
    puts("");
    for (int i = 0; i < 5; i++) printf("%d ", h(i));
    puts("");
    int c = 3;
    switch (c) {
        do {
            case 1: c--;
            printf("one ");
            default: printf("loop%d ", c);
        } while (c-- > 1);
    }
    puts("");
    return f(4);
}
