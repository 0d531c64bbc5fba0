// One-dimensional VLAs: size from a variable, sizeof at run time.
#include <stdio.h>
#include <string.h>
static int primes(int n) {
    char sieve[n + 1];
    memset(sieve, 1, sizeof sieve);
    int c = 0;
    for (int i = 2; i <= n; i++) {
        if (!sieve[i]) continue;
        c++;
        for (int j = 2 * i; j <= n; j += i) sieve[j] = 0;
    }
    return c;
}
static int rev(const char *s) {
    int n = strlen(s);
    char b[n + 1];
    for (int i = 0; i < n; i++) b[i] = s[n - 1 - i];
    b[n] = 0;
    printf("%s %zu\n", b, sizeof b);
    return n;
}
static long fib(int n) {
    long f[n + 2];
    f[0] = 0;
    f[1] = 1;
    for (int i = 2; i <= n; i++) f[i] = f[i - 1] + f[i - 2];
    return f[n];
}
int main(void) {
    printf("%d %d\n", primes(100), primes(1000));
    rev("variable"); rev("x");
    printf("%ld %ld\n", fib(50), fib(1));
    int n = 3; double d[n * 2]; n = 100; printf("%zu\n", sizeof d / sizeof d[0]);
    for (int i = 0; i < 6; i++) d[i] = i * 0.5;
    double *p = d + 5; printf("%g %td\n", *p, p - d);
    struct { int a; char c; } s[n / 25];
    for (int i = 0; i < 4; i++) s[i].a = i;
    printf("%zu %d\n", sizeof s, s[3].a);
    return primes(50);
}
