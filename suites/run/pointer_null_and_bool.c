// Pointers in conditions, NULL in several spellings, comparisons with null.
#include <stdio.h>
#include <stddef.h>
static int len(const char *s) { return !s ? -1 : *s ? 1 + len(s + 1) : 0; }
static const char *or_(const char *a, const char *b) { return a ? a : b; }
static int f(void) { return 1; }
int main(void) {
    int x = 0, *p = 0, *q = &x;
    printf("%d %d %d %d\n", !p, !q, p == NULL, q != 0);
    printf("%d %d\n", p || q, p && q);
    printf("%d %d\n", len(0), len("four"));
    puts(or_(NULL, "default"));
    if (f) puts("function is true");
    if (!p) p = q;
    printf("%d\n", p == q);
    _Bool b = p;
    printf("%d\n", b);
    for (const char *list[] = {"a", "b", NULL}, **l = list; *l; l++) fputs(*l, stdout);
    puts("");
    int (*fp)(void) = NULL;
    printf("%d ", !fp);
    fp = f;
    printf("%d\n", fp ? fp() : -1);
    void *v = NULL;
    v = v ? v : (void *)&x;
    printf("%d\n", v == &x);
    int n = 0;
    while (p && n < 3) { n++; if (n == 2) p = NULL; }
    printf("%d\n", n);
    return (p == (int *)0) + (NULL == (void *)0);
}
