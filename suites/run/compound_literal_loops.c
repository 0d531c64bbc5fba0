// A literal in a loop is re-initialised each time its block is entered.
#include <stdio.h>
struct node { int v; struct node *next; };
int main(void) {
    for (int i = 0; i < 3; i++) { int *p = &(int){i}; *p += 10; printf("%d ", *p); }
    puts("");
    int n = 0; struct node *last = 0;
again:;
    struct node *cur = &(struct node){n, 0};
    if (n == 2 && last) printf("same object %d value %d\n", cur == last, cur->v);
    cur->v += 100; last = cur;
    if (++n < 3) goto again;
    printf("%d\n", last->v);
    struct node *list = &(struct node){1, &(struct node){2, &(struct node){3, 0}}};
    int s = 0; for (struct node *p = list; p; p = p->next) s = s * 10 + p->v;
    printf("%d\n", s);
    for (int i = 0; i < 2; i++) {
        int *a = (int[3]){i, i + 1};
        a[2] += 5;
        printf("%d%d%d ", a[0], a[1], a[2]);
    }
    puts("");
    int t = 0; while (t < 3) { struct node x = *(struct node[]){{t * t}, {9}}; printf("%d ", x.v); t++; }
    puts("");
    return s & 0xff;
}
