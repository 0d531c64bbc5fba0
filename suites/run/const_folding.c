// Constant expressions evaluated by the compiler and by the machine agree.
#include <stdio.h>
enum { A = 3 * 7 + (1 << 4), B = A % 5, C = ~0 & 0xff, D = sizeof(long) * 8, E = 'z' - 'a', F = -7 / 2, G = -7 % 2, H = 5 > 3 ? 10 : 20, I = (int)2.9, J = !B };
static int table[(A > B) + 3] = {[1] = A, [(int)1.5 + 1] = B};
static const double k = 1.0 / 4 + 2;
static unsigned u = -1, v = 1u - 2u; static long l = 1u - 2; static long m = -1 >> 1;
static char c = 300 & 0xff; static _Bool b = 3; static float f = 7 / 2;
int main(void) {
    printf("%d %d %d %d %d %d %d %d %d %d\n", A, B, C, D, E, F, G, H, I, J);
    printf("%zu %d %d %d\n", sizeof table / sizeof *table, table[1], table[2], table[3]);
    printf("%g %u %u %ld %ld %d %d %g\n", k, u, v, l, m, c, b, f);
    volatile int a7 = 7, z = 0, two = 2;
    printf("%d %d %d\n", F == -a7 / two, G == -a7 % two, (z && a7 / z) == (0 && 7 / 1));
    int arr[sizeof(int[3][4]) / sizeof(int)]; printf("%zu\n", sizeof arr / sizeof *arr);
    switch (a7) { case 3 + 4: puts("seven"); break; case A: puts("A"); }
    return D;
}
