// GNU case ranges and fall-through.
#include <stdio.h>
static const char *kind(int c) {
    switch (c) {
        case '0' ... '9': return "digit";
        case 'a' ... 'f': case 'A' ... 'F': return "hex";
        case 'g' ... 'z': case 'G' ... 'Z': return "alpha";
        case ' ': case '\t' ... '\r': return "space";
        case -128 ... -1: return "high";
        default: return "other";
    }
}
static int fall(int x) {
    int r = 0;
    switch (x) {
        case 5: r += 5;
        case 4: r += 4;
        case 3: r += 3;
        break;
        case 2: r += 200;
        case 1: r += 100;
        default: r += 1000;
        case 0: r += 1;
    }
    return r;
}
static int grade(int s) {
    switch (s) {
        case 90 ... 100: return 'A';
        case 80 ... 89: return 'B';
        case 0 ... 79: return 'C';
    }
    return '?';
}
int main(void) {
    const char *t = "7aGz \n!\x80"; for (; *t; t++) printf("%s ", kind(*t)); puts("");
    for (int i = -1; i < 7; i++) printf("%d ", fall(i)); puts("");
    for (int i = -1; i < 102; i += 17) putchar(grade(i));
    puts("");
    printf("%c%c%c%c\n", grade(100), grade(90), grade(89), grade(101));
    int n = 0;
    for (int i = 0; i < 50; i++) switch (i) {
        case 10 ... 19: if (i & 1) continue;
        n += i;
        break;
        case 20 ... 29: n++;
    }
    printf("%d\n", n);
    return n & 0xff;
}
