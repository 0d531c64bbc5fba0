// GNU statement expressions: value, control flow inside and out of them.
#include <stdio.h>
#define MAX(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) ({ __auto_type _t = (a); (a) = (b); (b) = _t; _t; })
static int find(const int *a, int n, int x) {
    return ({ int r = -1; for (int i = 0; i < n; i++) if (a[i] == x) { r = i; break; } r; });
}
static int early(int x) { int y = ({ if (x < 0) return -99; x * 2; }); return y + 1; }
int main(void) {
    int i = 3, j = 5;
    int m = MAX(i++, j++);
    printf("%d %d %d\n", m, i, j);
    printf("%g\n", MAX(2.5, 1));
    printf("%d\n", MAX(MAX(1, 9), MAX(4, 7)));
    int s = SWAP(i, j);
    printf("%d %d %d\n", s, i, j);
    int a[] = {4, 7, 9};
    printf("%d %d\n", find(a, 3, 9), find(a, 3, 1));
    printf("%d %d\n", early(4), early(-1));
    int sum = 0;
    for (int k = 0; k < 10; k++) {
        sum += ({ if (k == 3) continue; if (k == 8) break; k; });
    }
    printf("%d\n", sum);
    struct p { int x, y; } q = ({ struct p t = {1, 2}; t.x += 10; t; });
    printf("%d %d %d\n", q.x, q.y, ({ q; }).x);
    ({ ; }); int z = ({ int z = 4; { int z = 5; } z; }) + ({ sum; }); printf("%d\n", z);
    const char *w = ({ static int n; n++; n & 1 ? "odd" : "even"; }); puts(w);
    return ({ 1; 2; 3; });
}
