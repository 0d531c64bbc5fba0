// Switches inside switches and loops; break and continue bind to the right construct.
#include <stdio.h>
static int f(int a, int b) {
    int r = 0;
    switch (a) {
        case 0: switch (b) {
            case 0: r = 1;
            break;
            case 1: r = 2;
        }
        r += 10;
        break;
        case 1: for (int i = 0; i < 5; i++) { switch (i) { case 3: goto out; case 1: continue; default: break; } r += i + b; } out: r += 100;
        break;
        default: { switch (b) default: r = 7; }
    }
    return r;
}
int main(void) {
    for (int a = 0; a < 3; a++) for (int b = 0; b < 3; b++) printf("%d ", f(a, b)); puts("");
    int state = 0, n = 0;
    const char *in = "ab12 cd3;x";
    while (*in) {
        switch (state) {
            case 0: switch (*in) {
                case '0' ... '9': state = 1;
                continue;
                case ' ': break;
                case ';': goto end;
                default: n += 1;
            }
            break;
            case 1: if (*in < '0' || *in > '9') { state = 0; continue; }
            n += 100;
            break;
        }
        in++;
    }
end: printf("%d %s\n", n, in);
    int k = 0; do { switch (k) { case 2: k = 10; continue; default: k++; } } while (k < 5); printf("%d\n", k);
    switch (3) { int z; case 3: z = 4; switch (z) { case 4: printf("z %d\n", z); } } return k;
}
