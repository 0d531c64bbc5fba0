// offsetof through nested members and array elements; container_of.
#include <stdio.h>
#include <stddef.h>
struct in { char c; short s[3]; };
struct out { int n; struct in a[4]; union { long l; char b[12]; } u; struct out *next; };
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
struct link { struct link *next; }; struct item { int id; struct link l; double w; };
int main(void) {
    printf("%zu %zu %zu %zu\n", offsetof(struct out, a), offsetof(struct out, a[2]), offsetof(struct out, a[2].s[1]), offsetof(struct out, u.b[3]));
    printf("%zu %zu\n", __builtin_offsetof(struct out, next), sizeof(struct out));
    int i = 3;
    printf("%zu\n", __builtin_offsetof(struct out, a[i].s));
    struct item it[3] = {{1, {0}, 0.5}, {2, {0}, 1.5}, {3, {0}, 2.5}};
    it[0].l.next = &it[2].l;
    it[2].l.next = &it[1].l;
    double s = 0;
    int k = 0;
    for (struct link *p = &it[0].l; p; p = p->next) {
        struct item *x = container_of(p, struct item, l);
        s += x->w * ++k;
        printf("%d ", x->id);
    }
    printf("%g\n", s);
    struct out o = {0};
    *(short *)((char *)&o + offsetof(struct out, a[1].s[2])) = 77;
    printf("%d\n", o.a[1].s[2]);
    enum { OFF = offsetof(struct in, s) };
    static char z[OFF];
    return sizeof z + offsetof(struct item, w);
}
