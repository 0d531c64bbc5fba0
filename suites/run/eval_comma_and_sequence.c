// The comma operator and full expressions order side effects.
#include <stdio.h>
static int v; static int set(int x) { v = x; return x * 2; }
int main(void) {
    int a = (1, 2, 3); printf("%d\n", a);
    int b = (set(5), v + 1); printf("%d\n", b);
    int i, j; for (i = 0, j = 10; i < j; i++, j -= 2) ; printf("%d %d\n", i, j);
    int c = (i = 4, i++, i * 2); printf("%d %d\n", c, i);
    int arr[] = {(set(1), 10), (set(2), 20)}; printf("%d %d\n", arr[0], arr[1]);
    if (set(0), v == 0) puts("comma in if"); while (i--, i > 2) ; printf("%d\n", i);
    printf("%d\n", (a = 5, b = a + 1, a * b)); int t = 3; t = (t++, t + 10); printf("%d\n", t);
    int x = 1; x++, x = x > 1 ? 7 : 8, x += 2; printf("%d\n", x);
    int k = 0; int r = (k++, k) + 10; printf("%d %d\n", r, k); return (v, a, b);
}
