// _Bool holds 0 or 1 whatever is assigned to it.
#include <stdio.h>
#include <stdbool.h>
int main(void) {
    _Bool a = 5, b = 0.25, c = 0.0, d = (_Bool)256, e = "text" != 0; bool f = -0.0;
    printf("%d %d %d %d %d %d\n", a, b, c, d, e, f);
    int dummy; _Bool p = &dummy, q = (void *)0;
    printf("%d %d %zu\n", p, q, sizeof(bool));
    a++; printf("%d ", a); a++; printf("%d ", a); a--; printf("%d ", a); a--; printf("%d\n", a);
    a = 1;
    a += 1;
    printf("%d ", a);
    a *= 0;
    printf("%d ", a);
    a -= 1;
    printf("%d ", a);
    a <<= 3;
    printf("%d ", a);
    a ^= 1;
    printf("%d\n", a);
    _Bool x = true, y = true;
    printf("%d %d %d\n", x + y, -x, ~x);
    printf("%d %d\n", x & y, x == 2);
    _Bool arr[4] = {2, 0, 3};
    printf("%d%d%d%d\n", arr[0], arr[1], arr[2], arr[3]);
    int r = (a = 7); printf("%d\n", r);
    unsigned char raw; __builtin_memcpy(&raw, &arr[0], 1); printf("%u\n", raw);
    return (x = 300) + 1;
}
