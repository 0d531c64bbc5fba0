// Decodes packets of a length byte and a body, given in hex.
// run: 0261620163
// run: 05aa
// run: 00
// run: zz
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned char *body;
    size_t length;
};

static int nibble(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

static unsigned char *from_hex(const char *hex, size_t *n) {
    *n = strlen(hex) / 2;
    unsigned char *bytes = malloc(*n + 1);
    if (bytes == NULL) return NULL;
    for (size_t i = 0; i < *n; i++) {
        int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
        if (high < 0 || low < 0) {
            free(bytes);
            return NULL;
        }
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    return bytes;
}

static int decode(struct packet *p, const unsigned char *bytes, size_t n) {
    if (n < 1) return -1;
    p->length = bytes[0];
    p->body = malloc(p->length + 1);
    if (p->body == NULL) return -1;
    if (n - 1 < p->length) return -1;
    memcpy(p->body, bytes + 1, p->length);
    return (int)p->length + 1;
}

int main(int argc, char **argv) {
    size_t n, at = 0;
    unsigned char *bytes = from_hex(argv[argc - 1], &n);
    if (bytes == NULL) return 1;
    while (at < n) {
        struct packet p;
        int used = decode(&p, bytes + at, n - at);
        if (used < 0) {
            free(bytes);
            return 1;
        }
        printf("%zu\n", p.length);
        free(p.body);
        at += (size_t)used;
    }
    free(bytes);
    return 0;
}
// run: ""
