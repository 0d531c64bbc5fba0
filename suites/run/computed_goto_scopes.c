// Computed jumps out of nested blocks, labels passed through variables and structs.
#include <stdio.h>
struct frame { void *ret; int v; };
static int f(int depth) {
    struct frame st[20]; int sp = 0, acc = 0, n = depth; void *ret = &&done;
call: if (n == 0) goto *ret;
    { int save = n * n; st[sp].ret = ret; st[sp].v = save; sp++; ret = &&back; n--; goto call; }
back: { sp--; acc += st[sp].v; ret = st[sp].ret; goto *ret; }
done: return acc;
}
int main(void) {
    printf("%d %d %d\n", f(0), f(3), f(10)); int sum = 0;
    for (int i = 0; i < 6; i++) {
        void *t = i % 3 == 0 ? &&zero : i % 3 == 1 ? &&one : &&cont;
        {
            int local = i;
            goto *t;
            zero: sum += 100;
            goto *&&cont;
            one: sum += 10 + (i - i);
            cont:;
        }
    }
    printf("%d\n", sum);
    static void *tab[2] = {&&p, &&q};
    int k = 0;
    p: if (k++ < 3) goto *tab[0];
    goto *tab[1];
    q: printf("%d\n", k);
    return f(5);
}
