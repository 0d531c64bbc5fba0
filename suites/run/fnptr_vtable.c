// Objects with virtual tables; a base pointer to derived structs.
#include <stdio.h>
struct shape;
struct vt { const char *name; double (*area)(const struct shape *); void (*grow)(struct shape *, double); };
struct shape { const struct vt *vt; };
struct rect { struct shape base; double w, h; };
struct circ { struct shape base; double r; };
static double ra(const struct shape *s) { const struct rect *r = (const void *)s; return r->w * r->h; }
static void rg(struct shape *s, double k) { struct rect *r = (struct rect *)s; r->w *= k; r->h *= k; }
static double ca(const struct shape *s) { return 3 * ((struct circ *)s)->r * ((struct circ *)s)->r; }
static void cg(struct shape *s, double k) { ((struct circ *)s)->r *= k; }
static const struct vt rvt = {"rect", ra, rg}, cvt = {"circ", ca, cg};
#define container(p, T, m) ((T *)((char *)(p) - __builtin_offsetof(T, m)))
struct named { int id; struct rect r; };
int main(void) {
    struct rect r = {{&rvt}, 2, 3};
    struct circ c = {{&cvt}, 2};
    struct named nm = {77, {{&rvt}, 1, 1}};
    struct shape *all[] = {&r.base, &c.base, &nm.r.base};
    double t = 0;
    for (int i = 0; i < 3; i++) {
        all[i]->vt->grow(all[i], i + 1.5);
        double a = all[i]->vt->area(all[i]);
        printf("%s %g\n", all[i]->vt->name, a);
        t += a;
    }
    printf("%g %d\n", t, container(all[2], struct named, r)->id);
    all[0]->vt = &(struct vt){"flat", ca, cg}; printf("%s %g\n", all[0]->vt->name, all[0]->vt->area(all[0]));
    return container(&nm.r.w, struct named, r.w) == &nm;
}
