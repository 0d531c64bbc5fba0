// Bit-fields as loop counters and accumulators that wrap.
#include <stdio.h>
struct c { unsigned n : 4; int s : 4; unsigned acc : 12; };
int main(void) {
    struct c c = {0}; int laps = 0;
    for (int i = 0; i < 50; i++) { if (++c.n == 0) laps++; }
    printf("%u %d\n", c.n, laps);
    for (c.n = 10; c.n >= 3; c.n--) c.acc += c.n * c.n;
    printf("%u %u\n", c.n, c.acc);
    c.acc = 0; for (c.n = 0; c.n < 15; c.n++) c.acc = c.acc * 3 + c.n;
    printf("%u\n", c.acc);
    int seen = 0; c.s = 0; do { seen |= 1 << (c.s + 8); c.s = c.s + 3; } while (c.s);
    printf("%04x\n", seen);
    c.acc = 4095;
    c.acc += 2;
    printf("%u\n", c.acc);
    c.acc -= 5;
    printf("%u\n", c.acc);
    c.acc *= 7;
    printf("%u\n", c.acc);
    c.acc /= 4;
    printf("%u\n", c.acc);
    c.acc %= 100;
    printf("%u\n", c.acc);
    return c.acc;
}
