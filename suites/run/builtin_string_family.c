// Builtin forms of the mem and str functions.
#include <stdio.h>
int main(void) {
    char a[32], b[32];
    __builtin_memset(a, 'x', sizeof a);
    a[31] = 0;
    printf("%zu\n", __builtin_strlen(a));
    __builtin_strcpy(b, "hello");
    __builtin_memcpy(a, b, 6);
    printf("%s %d\n", a, __builtin_strcmp(a, b));
    __builtin_strcat(a, " world");
    puts(a);
    printf("%d %d\n", __builtin_memcmp("abc", "abd", 3) < 0, __builtin_strncmp("abc", "abd", 2));
    char *p = __builtin_strchr(a, 'w');
    printf("%s %td\n", p, p - a);
    printf("%s\n", __builtin_strrchr(a, 'o'));
    __builtin_memmove(a + 2, a, 8);
    a[10] = 0;
    puts(a);
    printf("%s\n", __builtin_strstr("needle in hay", "in"));
    char *q = __builtin_stpcpy(b, "abc");
    q = __builtin_stpcpy(q, "def");
    printf("%s %td\n", b, q - b);
    q = __builtin_mempcpy(b, "ZZ", 2);
    printf("%s %td\n", b, q - b);
    __builtin_strncpy(b, "n", 4);
    printf("%s %d %c\n", b, b[3], b[4]);
    printf("%zu %zu\n", __builtin_strspn("aabbc", "ab"), __builtin_strcspn("xyz.", "."));
    printf("%d %d\n", __builtin_abs(-4), __builtin_isdigit('5') != 0);
    __builtin_printf("%s\n", "builtin printf");
    __builtin_puts("bp");
    __builtin_putchar('c');
    __builtin_putchar('\n');
    int *h = __builtin_malloc(8);
    h[1] = 6;
    int r = h[1];
    __builtin_free(h);
    return r;
}
