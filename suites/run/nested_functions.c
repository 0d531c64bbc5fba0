// GNU nested functions that use the enclosing frame without escaping it.
#include <stdio.h>
static int outer(int n) {
    int total = 0;
    void add(int k) { total += k * n; }
    for (int i = 0; i < 5; i++) add(i);
    return total;
}
static int rec(int n) {
    int calls = 0;
    int f(int k) { calls++; return k < 2 ? k : f(k - 1) + f(k - 2); }
    int v = f(n);
    return v * 1000 + calls;
}
static int two(int x) {
    int a = x;
    int in1(int y) {
        int b = y;
        int in2(int z) { return a + b * z; }
        return in2(3) + in2(4);
    }
    a++;
    return in1(10);
}
int main(void) {
    printf("%d %d\n", outer(3), rec(10));
    printf("%d\n", two(5));
    int count = 0;
    int next(void) {
        static int s = 100;
        count++;
        return s++;
    }
    next();
    next();
    printf("%d %d\n", next(), count >= 2);
    auto int later(int);
    int r = later(6);
    int later(int x) { return x * count; }
    printf("%d\n", r);
    return count;
}
