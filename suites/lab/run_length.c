// Packs runs of letters and unpacks them again.
// run: aaabcc
// run: z
// run: ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *pack(const char *s) {
    char *out = malloc(4 * strlen(s) + 1), *p = out;
    if (out == NULL) return NULL;
    while (*s) {
        int n = 1;
        while (s[n] == *s) n++;
        p += sprintf(p, "%d%c", n, *s);
        s += n;
    }
    *p = '\0';
    return out;
}

static char *unpack(const char *s) {
    char *out = calloc(64, 1);
    size_t used = 0;
    if (out == NULL) return NULL;
    while (*s) {
        char *end;
        long n = strtol(s, &end, 10);
        while (n-- > 0 && used < 63) out[used++] = *end;
        s = end + 1;
    }
    return out;
}

static int faithful(const char *s) {
    char *packed = pack(s);
    char *back = packed ? unpack(packed) : NULL;
    int same = back != NULL && strcmp(s, back) == 0;
    if (!same) return 0;
    printf("%s -> %s\n", s, packed);
    free(packed);
    free(back);
    return 1;
}

int main(int argc, char **argv) {
    return !faithful(argv[argc - 1]);
}
// run: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
