// realloc keeps the prefix, growing and shrinking.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *a = NULL;
    size_t cap = 0, n = 0;
    int grows = 0;
    for (int i = 0; i < 1000; i++) {
        if (n == cap) {
            cap = cap ? cap + cap / 2 + 1 : 1;
            int *t = realloc(a, cap * sizeof *a);
            if (!t) return 9;
            a = t;
            grows++;
        }
        a[n++] = i * 3;
    }
    unsigned h = 0;
    for (size_t i = 0; i < n; i++) h = h * 31 + a[i];
    printf("%zu %zu %d %u\n", n, cap, grows, h);
    a = realloc(a, 10 * sizeof *a);
    int s = 0;
    for (int i = 0; i < 10; i++) s += a[i];
    printf("%d\n", s);
    char *c = malloc(4);
    strcpy(c, "abc");
    c = realloc(c, 100);
    strcat(c, "defghijklmnop");
    puts(c);
    c = reallocarray(c, 50, 4);
    puts(c);
    free(c);
    free(a);
    return grows;
}
