// Static tables of label differences.
#include <stdio.h>
static unsigned eval(const char *s) {
    static const int off[] = {&&l0 - &&l0, &&l1 - &&l0, &&l2 - &&l0, &&l3 - &&l0, &&end - &&l0};
    static const unsigned char cls[256] = {['a' ... 'z'] = 1, ['0' ... '9'] = 2, [' '] = 3, [0] = 4};
    unsigned h = 1;
next: goto *(&&l0 + off[cls[(unsigned char)*s]]);
l0: h ^= 0xff; s++; goto next;
l1: h = h * 31 + *s++; goto next;
l2: h = h * 10 + (*s++ - '0'); goto next;
l3: h++; s++; goto next;
end: return h;
}
int main(void) {
    printf("%u %u %u\n", eval("abc 123 !"), eval(""), eval("x1y2z3"));
    void *p = &&a;
    int n = 0;
    again: n++;
    goto *p;
    a: p = &&b;
    goto again;
    b: p = n > 3 ? &&c : &&b;
    goto again;
    c: printf("%d\n", n);
    void *two[2] = {&&x, &&y};
    int i = 0;
    go: goto *two[i & 1];
    x: printf("x%d ", i);
    i++;
    goto go;
    y: printf("y%d ", i);
    if (++i < 6) goto go;
    puts("");
    return n;
}
