// Long chains of calls by a trampoline; accumulators in parameters.
#include <stdio.h>
struct thunk { struct thunk (*f)(long, long); long n, acc; };
static struct thunk sum(long n, long acc);
static struct thunk done(long n, long acc) {
    return (struct thunk){0, n, acc};
}
static struct thunk skip(long n, long acc) {
    return (struct thunk){n > 0 ? sum : done, n - 1, acc};
}
static struct thunk sum(long n, long acc) {
    return (struct thunk){n % 7 == 0 ? skip : n > 0 ? sum : done, n - 1, acc + n};
}
static long run(struct thunk t) {
    long steps = 0;
    while (t.f) { t = t.f(t.n, t.acc); steps++; }
    printf("%ld steps\n", steps);
    return t.acc;
}
static long facc(int n, long a) { return n < 2 ? a : facc(n - 1, a * n); }
static int fibacc(int n, int a, int b) {
    return n ? fibacc(n - 1, b, (a + b) % 10007) : a;
}
int main(void) {
    printf("%ld\n", run((struct thunk){sum, 10000, 0}));
    printf("%ld %d\n", facc(15, 1), fibacc(3000, 0, 1));
    return fibacc(20, 0, 1) & 0x7f;
}
