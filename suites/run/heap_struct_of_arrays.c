// One block carved into several arrays; column operations.
#include <stdio.h>
#include <stdlib.h>
struct soa { int n; double *x; int *id; unsigned char *flag; void *mem; };
static struct soa mk(int n) {
    struct soa s = {n};
    s.mem = malloc(n * (sizeof(double) + sizeof(int) + 1));
    s.x = s.mem;
    s.id = (int *)(s.x + n);
    s.flag = (unsigned char *)(s.id + n);
    return s;
}
static void each(struct soa *s, void (*f)(struct soa *, int)) {
    for (int i = 0; i < s->n; i++) f(s, i);
}
static void init(struct soa *s, int i) {
    s->x[i] = i * 0.5;
    s->id[i] = 100 - i;
    s->flag[i] = i % 3 == 0;
}
static void scale(struct soa *s, int i) { if (s->flag[i]) s->x[i] *= s->id[i]; }
int main(void) {
    struct soa s = mk(10);
    each(&s, init);
    each(&s, scale);
    double t = 0;
    int n = 0;
    for (int i = 0; i < s.n; i++) { t += s.x[i]; n += s.flag[i]; }
    printf("%g %d %d\n", t, n, s.id[9]);
    printf("%td %td\n", (char *)s.id - (char *)s.mem, (char *)s.flag - (char *)s.mem);
    free(s.mem);
    return n;
}
