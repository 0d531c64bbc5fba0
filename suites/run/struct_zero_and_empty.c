// Empty structs, zero-length arrays and zero-size assignments (GNU).
#include <stdio.h>
#include <stdlib.h>
struct empty {};
struct zero { int n; char data[0]; };
struct holds { int a; struct empty e; int b; };
static struct empty pass(struct empty e, int x) { printf("x %d\n", x); return e; }
int main(void) {
    struct empty e, f;
    e = f;
    e = pass(f, 5);
    struct holds h = {1, {}, 2}, g = h;
    printf("%d %d %zu %zu %zu\n", g.a, g.b, sizeof(struct empty), sizeof(struct zero), sizeof(struct holds));
    struct zero *z = malloc(sizeof *z + 4);
    z->n = 3;
    for (int i = 0; i < 3; i++) z->data[i] = 'a' + i;
    z->data[3] = 0;
    printf("%s %zu\n", z->data, sizeof z->data);
    int r = z->n;
    free(z);
    int none[0];
    printf("%zu\n", sizeof none);
    struct { int a[0]; long l; } q = {.l = 8};
    printf("%ld %zu\n", q.l, sizeof q);
    return r;
}
