// Strings with their length, passed and returned by value.
// run: ab cd
// run: ab ""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct str { char *data; size_t size; };

static struct str str_from(const char *text) {
    struct str s = {strdup(text), strlen(text)};
    return s;
}

static struct str str_plus(struct str a, struct str b) {
    struct str r = {malloc(a.size + b.size + 1), a.size + b.size};
    if (r.data == NULL) return r;
    memcpy(r.data, a.data, a.size);
    memcpy(r.data + a.size, b.data, b.size + 1);
    return r;
}

static void str_done(struct str s) { free(s.data); }

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    struct str a = str_from(argv[1]), b = str_from(argv[2]), r = {NULL, 0};
    if (a.data && b.data) r = b.size ? str_plus(a, b) : a;
    puts(r.data ? r.data : "");
    str_done(r);
    str_done(b);
    if (r.data != a.data) str_done(a);
    return 0;
}
// run:
