// Packed structs: unaligned members read and written by value.
#include <stdio.h>
#include <stddef.h>
#include <string.h>
struct __attribute__((packed)) hdr { unsigned char type; unsigned short len; unsigned id; unsigned long long ts; double v; char tail[3]; };
struct __attribute__((packed, aligned(4))) pa { char c; int i; char d; };
struct half { char c; int i __attribute__((packed)); short s; };
struct __attribute__((packed)) outer { char c; struct { int a; char b; } in; struct hdr h; };
static void dump(const void *p, int n) {
    for (const unsigned char *b = p; n--; b++) printf("%02x", *b);
    puts("");
}
static unsigned sum(struct hdr h) { return h.type + h.len + h.id; }
int main(void) {
    struct hdr h = {1, 0x0203, 0x04050607, 0x08090a0b0c0d0e0full, 1.0, "xy"};
    dump(&h, sizeof h);
    printf("%zu %zu %zu %zu %zu\n", sizeof h, offsetof(struct hdr, id), offsetof(struct hdr, v), sizeof(struct pa), sizeof(struct half));
    h.id++;
    h.len += 0xff00;
    h.v *= 2;
    h.ts <<= 4;
    dump(&h, sizeof h);
    printf("%u %g\n", sum(h), h.v);
    struct hdr a[3] = {h, h, h};
    a[1].id = 7;
    a[2].ts = a[1].ts + 1;
    printf("%x %x %llx\n", a[0].id, a[1].id, a[2].ts);
    printf("%zu %zu\n", sizeof(struct outer), offsetof(struct outer, h));
    struct outer o = {'o', {5, 'b'}, h};
    o.in.a += o.h.type;
    struct outer p = o;
    printf("%d %c %u %zu\n", p.in.a, p.in.b, p.h.len, offsetof(struct pa, d));
    char buf[40];
    memcpy(buf + 1, &h, sizeof h);
    struct hdr *q = (struct hdr *)(buf + 1);
    printf("%u\n", q->type + q->len);
    return sizeof(struct pa);
}
