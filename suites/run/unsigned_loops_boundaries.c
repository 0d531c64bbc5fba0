// Loops over unsigned counters at the ends of their range.
#include <stdio.h>
#include <stdint.h>
int main(void) {
    unsigned n = 0;
    for (uint8_t i = 255; i > 250; i--) n += i;
    printf("%u\n", n);
    n = 0;
    uint8_t i = 0;
    do n++;
    while (++i != 0);
    printf("%u\n", n);
    n = 0;
    for (unsigned k = 5; k-- > 0;) n = n * 10 + k;
    printf("%u\n", n);
    n = 0;
    for (uint16_t k = 65530; k != 5; k++) n += k;
    printf("%u\n", n);
    size_t len = 3;
    int hits = 0;
    for (size_t k = len - 1; k < len; k--) hits++;
    printf("%d\n", hits);
    for (unsigned lo = 4294967290u, hi = 4; lo != hi; lo++) hits++;
    printf("%d\n", hits);
    int64_t s = 0;
    for (uint32_t k = 4294967293u; k >= 4294967293u; k++) s += k;
    printf("%lld\n", (long long)s);
    n = 0;
    for (unsigned a = 0; a < 10; a += 3) for (unsigned b = a; b - a < 2; b++) n += b;
    printf("%u\n", n);
    signed char c = 0;
    int steps = 0;
    while (c >= 0) { c += 10; steps++; }
    printf("%d %d\n", c, steps);
    return hits;
}
