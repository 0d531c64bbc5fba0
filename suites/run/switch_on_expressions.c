// Controlling expressions with side effects, calls, casts, comma, enums and ternaries.
#include <stdio.h>
enum e { A = -1, B, C = 10 };
static int n;
static int next(void) { return n++ % 4; }
static enum e mk(int x) { return x < 0 ? A : x ? C : B; }
int main(void) {
    int log = 0;
    for (int i = 0; i < 10; i++) switch (next()) {
        case 0: log = log * 2 + 1;
        break;
        case 3: log = log * 2;
        continue;
        default: log += 3;
    }
    printf("%d %d\n", log, n);
    switch (n++, n * 2) {
        case 22: puts("twenty-two");
        break;
        default: puts("other");
    }
    for (int i = -1; i < 2; i++) switch (mk(i)) {
        case A: puts("A");
        break;
        case B: puts("B");
        break;
        case C: puts("C");
    }
    switch ((char)(255 + 66)) { case 'A': puts("cast"); }
    switch (n > 5 ? 'y' : 'n') {
        case 'y': puts("yes");
        break;
        case 'n': puts("no");
    }
    switch (!!n) { case 1: puts("true"); }
    switch (sizeof(int)) { case 4: puts("four"); }
    switch (n & ~3) { case 8: log += 1000; case 12: log += 2000; }
    switch (({ int t = n; t - 11; })) { case 0: puts("zero"); }
    return log & 0x7f;
}
