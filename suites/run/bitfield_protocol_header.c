// Encoding and decoding a header by bit-fields and by shifts gives the same bytes.
#include <stdio.h>
#include <string.h>
#include <stdint.h>
struct hdr { uint32_t ver : 4, ihl : 4, dscp : 6, ecn : 2, len : 16; uint32_t id : 16, flags : 3, frag : 13; };
static void by_shift(uint8_t *o, struct hdr h) {
    uint32_t a = h.ver | h.ihl << 4 | h.dscp << 8 | h.ecn << 14 | (uint32_t)h.len << 16, b = h.id | h.flags << 16 | (uint32_t)h.frag << 19;
    for (int i = 0; i < 4; i++) { o[i] = a >> (8 * i); o[4 + i] = b >> (8 * i); }
}
int main(void) {
    struct hdr h = {.ver = 4, .ihl = 5, .dscp = 46, .ecn = 1, .len = 1500, .id = 0xbeef, .flags = 2, .frag = 185};
    uint8_t a[8], b[8]; memcpy(a, &h, 8); by_shift(b, h);
    for (int i = 0; i < 8; i++) printf("%02x ", a[i]);
    printf("%d\n", memcmp(a, b, 8));
    a[1] ^= 0xff; a[6] ^= 0x0f; struct hdr g; memcpy(&g, a, 8);
    printf("%u %u %u %u %u %u %u %u\n", g.ver, g.ihl, g.dscp, g.ecn, g.len, g.id, g.flags, g.frag);
    return memcmp(a, b, 8) != 0;
}
