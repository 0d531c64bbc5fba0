// Ordering by fields, memcmp on structs without padding.
#include <stdio.h>
#include <string.h>
struct ver { int major, minor, patch; };
static int cmp(const struct ver *a, const struct ver *b) {
    if (a->major != b->major) return a->major < b->major ? -1 : 1;
    if (a->minor != b->minor) return a->minor < b->minor ? -1 : 1;
    return (a->patch > b->patch) - (a->patch < b->patch);
}
int main(void) {
    struct ver v[] = {{1, 2, 3}, {1, 2, 3}, {1, 10, 0}, {0, 99, 99}, {2, 0, 0}};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) printf("%2d ", cmp(&v[i], &v[j])); puts(""); }
    printf("%d %d\n", memcmp(&v[0], &v[1], sizeof v[0]) == 0, memcmp(&v[0], &v[2], sizeof v[0]) == 0);
    for (int i = 1; i < n; i++) {
        struct ver k = v[i];
        int j = i;
        while (j && cmp(&v[j - 1], &k) > 0) { v[j] = v[j - 1]; j--; }
        v[j] = k;
    }
    for (int i = 0; i < n; i++) printf("%d.%d.%d ", v[i].major, v[i].minor, v[i].patch);
    puts("");
    struct ver *max = v; for (struct ver *p = v; p < v + n; p++) if (cmp(p, max) > 0) max = p;
    return max->major * 10 + (int)(max - v);
}
