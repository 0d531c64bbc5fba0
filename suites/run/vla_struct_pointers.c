// VLAs of structs, of pointers, and pointers to VLAs on the heap.
#include <stdio.h>
#include <stdlib.h>
struct p { short x, y; };
static long area(int n, const struct p v[n]) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        const struct p *a = &v[i], *b = &v[(i + 1) % n];
        s += (long)a->x * b->y - (long)b->x * a->y;
    }
    return s / 2;
}
static void transpose(int r, int c, int (*in)[c], int (*out)[r]) {
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) out[j][i] = in[i][j];
}
int main(void) {
    int n = 4;
    struct p poly[n];
    for (int i = 0; i < n; i++) poly[i] = (struct p){
        i == 1 || i == 2 ? 5 : 0, i >= 2 ? 3 : 0
    };
    printf("%ld %zu\n", area(n, poly), sizeof poly);
    const char *words[n]; for (int i = 0; i < n; i++) words[i] = &"abcd"[i];
    for (int i = n; i--;) printf("%s ", words[i]);
    puts("");
    int r = 2, c = 3; int (*m)[c] = malloc(sizeof(int[r][c])), (*t)[r] = malloc(sizeof(int[c][r]));
    for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = 10 * i + j;
    transpose(r, c, m, t);
    for (int i = 0; i < c; i++) printf("%d %d;", t[i][0], t[i][1]);
    puts("");
    int k = t[2][1]; free(m); free(t); return k;
}
