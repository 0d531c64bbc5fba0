// Enumerators: implicit increments, negatives, duplicates, sizes, use in arithmetic.
#include <stdio.h>
enum a { A0, A1, A5 = 5, A6, AM = -2, AM1, A0B, DUP = A5 };
enum big { BIG = 0xffffffffu };
enum huge { HUGE_ = 1LL << 40, NEG = -1 };
typedef enum { RED = 'r', GREEN = 'g' } col;
enum flags { F1 = 1 << 0, F2 = 1 << 1, F3 = 1 << 2, FALL = F1 | F2 | F3 };
enum __attribute__((packed)) tiny { T1, T2 = 200 };
static const char *nm(enum a x) {
    switch (x) {
        case A0: return "A0";
        case A1: return "A1";
        case A5: return "A5";
        case A6: return "A6";
        case AM: return "AM";
        case AM1: return "AM1";
    }
    return "?";
}
int main(void) {
    printf("%d %d %d %d %d %d %d %d\n", A0, A1, A5, A6, AM, AM1, A0B, DUP);
    printf("%zu %zu %zu %zu %zu\n", sizeof(enum a), sizeof(enum big), sizeof(enum huge), sizeof(enum tiny), sizeof A0);
    printf("%u %lld\n", (unsigned)BIG, (long long)HUGE_);
    enum a x = 6;
    puts(nm(x));
    x = A5;
    x++;
    puts(nm(x));
    puts(nm(-1));
    enum flags f = F1;
    f |= F3;
    printf("%d %d %d\n", f, f & F2, FALL & ~f);
    enum flags u = F1;
    printf("%d\n", u - 2 > 0);
    col c = RED;
    printf("%c\n", c);
    int cnt[A6 + 1] = {[A5] = 3};
    for (enum a i = A0; i <= A6; i++) cnt[i]++;
    printf("%d %d\n", cnt[A5], cnt[A6]);
    enum tiny t = T2;
    t += 55;
    printf("%d\n", t);
    t++;
    printf("%d\n", t);
    return A6;
}
