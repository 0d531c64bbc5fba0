// memset, memcpy, memmove with overlap, memcmp, bzero; struct images.
#include <stdio.h>
#include <string.h>
#include <strings.h>
int main(void) {
    char b[] = "0123456789";
    memmove(b + 2, b, 5);
    puts(b);
    strcpy(b, "0123456789");
    memmove(b, b + 3, 6);
    puts(b);
    strcpy(b, "0123456789");
    memmove(b + 4, b + 4, 3);
    puts(b);
    int a[6] = {1, 2, 3, 4, 5, 6};
    memmove(a + 1, a, 5 * sizeof *a);
    for (int i = 0; i < 6; i++) printf("%d ", a[i]);
    puts("");
    memcpy(a, (int[]){9, 8}, 8);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    memset(a, 0xff, sizeof a);
    printf("%d %d\n", a[0], a[5]);
    memset(a, 0, 8);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    memset(a, 1, 4);
    printf("%d\n", a[0]);
    double d = 2.5;
    unsigned char img[8];
    memcpy(img, &d, 8);
    img[7] ^= 0x80;
    memcpy(&d, img, 8);
    printf("%g\n", d);
    bzero(b, 3);
    printf("%d %c\n", b[2], b[3]);
    bcopy("xyz", b, 3);
    printf("%.4s\n", b);
    struct p { char c; int i; } x = {'a', 5}, y;
    memcpy(&y, &x, sizeof x);
    printf("%c %d\n", y.c, y.i);
    char *r = memset(b, 'q', 10);
    printf("%d %s\n", r == b, b);
    memcpy(b, b + 5, 0);
    for (int n = 0; n < 70; n += 23) {
        char s[80], t[80];
        memset(s, n, 80);
        memset(t, 0, 80);
        memcpy(t + 3, s, n);
        int k = 0;
        for (int i = 0; i < 80; i++) k += t[i] == n;
        printf("%d ", k);
    }
    puts("");
    return a[0] & 0x7f;
}
