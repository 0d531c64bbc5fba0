// Arrays of unions and unions of arrays; endian tests; swapping by bytes.
#include <stdio.h>
#include <stdint.h>
union w { uint32_t u; uint16_t h[2]; uint8_t b[4]; int32_t i; };
static uint32_t swap(uint32_t x) {
    union w a = {x}, r;
    for (int i = 0; i < 4; i++) r.b[i] = a.b[3 - i];
    return r.u;
}
union grid { int flat[6]; int cell[2][3]; struct { int a, b, c; } row[2]; };
int main(void) {
    union w ws[4];
    for (int i = 0; i < 4; i++) ws[i].u = 0x01010101u * i + 0x10203040u;
    uint32_t s = 0;
    for (int i = 0; i < 4; i++) {
        printf("%x %x %d\n", ws[i].h[0], ws[i].h[1], ws[i].b[i]);
        s += swap(ws[i].u);
    }
    printf("%x\n", s);
    union w one = {1};
    puts(one.b[0] ? "little" : "big");
    union grid g;
    for (int i = 0; i < 6; i++) g.flat[i] = i * i;
    printf("%d %d %d %d\n", g.cell[1][0], g.cell[1][2], g.row[0].c, g.row[1].b);
    g.row[1] = g.row[0];
    printf("%d %d\n", g.flat[3], g.flat[5]);
    ws[0].i = -2;
    printf("%u %d\n", ws[0].h[1], ws[0].b[0]);
    return ws[0].b[0] & 0x7f;
}
