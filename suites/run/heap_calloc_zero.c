// calloc returns zeros, also in memory that was used before.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct s { int a; double d; void *p; char c[5]; };
int main(void) {
    int dirty = 0;
    for (int r = 0; r < 20; r++) {
        unsigned char *m = malloc(64 + r * 8);
        memset(m, 0xaa, 64 + r * 8);
        free(m);
        unsigned char *z = calloc(8 + r, 8);
        for (int i = 0; i < (8 + r) * 8; i++) dirty += z[i];
        z[r] = 1;
        free(z);
    }
    printf("%d\n", dirty);
    struct s *v = calloc(3, sizeof *v);
    printf("%d %g %d [%s]\n", v[1].a, v[2].d, v[0].p == NULL, v[2].c);
    v[1].a = 5;
    v[2] = v[1];
    printf("%d\n", v[2].a);
    free(v);
    int **g = calloc(4, sizeof *g);
    for (int i = 0; i < 4; i++) if (!g[i]) {
        g[i] = calloc(i + 1, sizeof **g);
        g[i][i] = i;
    }
    int s = 0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) s += g[i][j];
        free(g[i]);
    }
    free(g);
    void *e = calloc(0, 8);
    free(e);
    printf("%d\n", s);
    return s;
}
