// Compound literals are lvalues with the lifetime of the enclosing block.
#include <stdio.h>
struct p { int x, y; };
static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
static int dot(struct p a, const struct p *b) { return a.x * b->x + a.y * b->y; }
int main(void) {
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d\n", dot((struct p){1, 2}, &(struct p){.y = 3, .x = 4}));
    int *p = (int[5]){[1] = 10, [4] = 40}; p[0] = 1; printf("%d %d %d %d\n", p[0], p[1], p[2], p[4]);
    struct p *q = &(struct p){7, 8}; q->x++; printf("%d %d\n", q->x, q->y);
    (struct p){1, 2}.x = 5;
    printf("%d\n", ((struct p){3, 4}).y);
    char *s = (char[]){"mutable"}; s[0] = 'M'; puts(s);
    const char *t = (const char[]){'a', 'b', 0}; puts(t);
    printf("%zu %zu\n", sizeof((int[]){1, 2, 3}), sizeof((char[10]){0}));
    int x = (int){5} + ++(int){6}; printf("%d\n", x);
    double d = *&(double){2.5}; printf("%g\n", d);
    int (*row)[2] = (int[][2]){{1, 2}, {3, 4}}; printf("%d\n", row[1][0]);
    return x;
}
