// Members and array elements of a returned struct, without naming a temporary.
#include <stdio.h>
struct v { int x, y; }; struct arr { int a[4]; char s[8]; };
static int made;
static struct v mk(int x, int y) { made++; return (struct v){x, y}; }
static struct arr fill(int k) { struct arr r = {{k, k + 1, k + 2, k + 3}, "abc"}; r.s[0] += k; return r; }
static struct v add(struct v a, struct v b) { return mk(a.x + b.x, a.y + b.y); }
int main(void) {
    printf("%d %d\n", mk(3, 4).x, mk(3, 4).y);
    printf("%d\n", add(add(mk(1, 2), mk(3, 4)), mk(5, 6)).y);
    printf("%d\n", fill(10).a[2]);
    printf("%s\n", fill(1).s);
    int k = 3; printf("%d %c\n", fill(k).a[k], fill(k).s[k - 1]);
    struct v t; printf("%d\n", (t = mk(7, 8)).y);
    printf("%d\n", (k ? mk(1, 2) : mk(3, 4)).x);
    printf("%d\n", (mk(0, 0), mk(9, 10)).y);
    printf("%zu %d\n", sizeof mk(1, 1), made);
    return made;
}
