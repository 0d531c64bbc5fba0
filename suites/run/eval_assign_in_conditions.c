// Assignments as conditions and values; chained and conditional updates.
#include <stdio.h>
static const int data[] = {3, 1, 4, 1, 5, 9, 2, 6, 0};
static int pos;
static int next(void) { return data[pos++]; }
int main(void) {
    int x, s = 0;
    while ((x = next())) s += x;
    printf("%d %d\n", s, pos);
    int a, b, c;
    a = b = c = 7;
    printf("%d\n", a + b + c);
    if ((a = b - 7)) puts("no");
    else printf("zero %d\n", a);
    a = (b = 3) * (c = 4);
    printf("%d %d %d\n", a, b, c);
    short sh;
    int big = sh = 70000;
    printf("%d %d\n", big, sh);
    float f;
    double d = f = 0.1;
    printf("%d %d\n", d == 0.1, d == 0.1f);
    unsigned char uc;
    int r = (uc = 300) + 1;
    printf("%d\n", r);
    int arr[3], *p = arr;
    *p++ = 1;
    *p++ = 2;
    *p = 3;
    printf("%d %td\n", arr[0] * 100 + arr[1] * 10 + arr[2], p - arr);
    a += b -= c *= 2;
    printf("%d %d %d\n", a, b, c);
    do { a /= 2; } while (a > 0 && (s ^= a));
    printf("%d\n", s);
    return (x = 5) + (s = 2);
}
