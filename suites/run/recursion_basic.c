// Factorial, Fibonacci, Ackermann, gcd, power sets, hanoi.
#include <stdio.h>
static unsigned long fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static int moves;
static void hanoi(int n, char a, char b, char c) {
    if (!n) return;
    hanoi(n - 1, a, c, b);
    moves++;
    if (n == 5) printf("%c->%c\n", a, c);
    hanoi(n - 1, b, a, c);
}
static int subsets(const int *a, int n, int sum) {
    return n == 0 ? sum == 0 : subsets(a + 1, n - 1, sum) + subsets(a + 1, n - 1, sum - *a);
}
static void bin(unsigned n) { if (n > 1) bin(n / 2); putchar('0' + n % 2); }
static int depth(int n) { volatile char pad[32]; pad[0] = n; return n ? 1 + depth(n - 1) : pad[0]; }
int main(void) {
    printf("%lu %d %d %d\n", fact(20), fib(18), ack(2, 5), gcd(1071, 462));
    hanoi(5, 'A', 'B', 'C'); printf("%d\n", moves);
    int a[] = {3, 34, 4, 12, 5, 2}; printf("%d %d\n", subsets(a, 6, 9), subsets(a, 6, 30));
    bin(1234); puts(""); printf("%d\n", depth(2000));
    return gcd(84, 126);
}
