// Bit-fields in arrays of structs, nested structs, unions, and through pointers.
#include <stdio.h>
struct pixel { unsigned r : 5, g : 6, b : 5; };
union word { struct pixel p; unsigned raw; };
struct outer { int n; struct { unsigned lo : 4, hi : 4; } nib; struct pixel px[2]; };
static struct pixel mix(struct pixel a, struct pixel b) {
    struct pixel r = {(a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2};
    return r;
}
int main(void) {
    struct pixel row[4] = {{31, 0, 0}, {0, 63, 0}, {0, 0, 31}, {.g = 33}};
    struct pixel m = mix(row[0], row[1]); m = mix(m, row[2]);
    printf("%u %u %u\n", m.r, m.g, m.b);
    union word w = {.raw = 0}; w.p = (struct pixel){1, 2, 3}; printf("%x\n", w.raw);
    w.raw = 0xffff; printf("%u %u %u\n", w.p.r, w.p.g, w.p.b);
    struct outer o = {7, {0xa, 0xb}, {{1, 2, 3}, {4, 5, 6}}}, *po = &o;
    po->nib.lo += po->nib.hi; po->px[1].g = po->px[0].b << 4; po->n += po->px[1].r--;
    printf("%d %u %u %u %u\n", o.n, o.nib.lo, o.nib.hi, o.px[1].g, o.px[1].r);
    struct outer c = o; c.nib.hi = 1; printf("%u %u\n", o.nib.hi, c.nib.hi);
    unsigned s = 0; for (struct pixel *p = row; p < row + 4; p++) s += p->r * 3 + p->g * 5 + p->b * 7;
    printf("%u\n", s);
    return s & 0xff;
}
