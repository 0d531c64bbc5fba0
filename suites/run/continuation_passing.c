// Continuations as struct chains on the C stack.
#include <stdio.h>
struct k { int (*f)(const struct k *, int); const struct k *next; int x; };
static int ret(const struct k *k, int v) { return k ? k->f(k, v) : v; }
static int mulk(const struct k *k, int v) { return ret(k->next, k->x * v); }
static int fact(int n, const struct k *k) {
    if (n < 2) return ret(k, 1);
    struct k me = {mulk, k, n};
    return fact(n - 1, &me);
}
static int fib(int n, const struct k *k);
static int addk(const struct k *k, int v) { return ret(k->next, k->x + v); }
static int fibk(const struct k *k, int v) {
    struct k a = {addk, k->next, v};
    return fib(k->x, &a);
}
static int fib(int n, const struct k *k) {
    if (n < 2) return ret(k, n);
    struct k me = {fibk, k, n - 2};
    return fib(n - 1, &me);
}
static int stop(const struct k *k, int v) { printf("stop %d %d\n", k->x, v); return -v; }
int main(void) {
    printf("%d %d\n", fact(10, 0), fib(12, 0));
    struct k s = {stop, 0, 77};
    printf("%d\n", fib(7, &s));
    return fact(5, 0);
}
