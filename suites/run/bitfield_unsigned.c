// Unsigned bit-fields wrap at their width.
#include <stdio.h>
struct date { unsigned day : 5, month : 4, year : 12; };
struct tiny { unsigned a : 1, b : 2, c : 3, d : 26; };
int main(void) {
    struct date d = {31, 12, 2024};
    printf("%u %u %u %zu\n", d.day, d.month, d.year, sizeof d);
    d.day++; d.month += 10; d.year -= 3000;
    printf("%u %u %u\n", d.day, d.month, d.year);
    struct tiny t = {1, 3, 7, 0x3ffffff};
    t.a++; t.b++; t.c++; t.d++;
    printf("%u %u %u %u\n", t.a, t.b, t.c, t.d);
    t.a--; t.b--; t.c--; t.d--;
    printf("%u %u %u %x\n", t.a, t.b, t.c, t.d);
    unsigned h = 0;
    for (int i = 0; i < 100; i++) {
        t.c = i;
        t.b = t.c * 3;
        t.d = t.d * 5 + t.b;
        h = h * 31 + t.c + t.b + t.d;
    }
    printf("%u %u\n", h, t.a);
    printf("%d\n", t.c - 8 < 0);
    return t.c;
}
