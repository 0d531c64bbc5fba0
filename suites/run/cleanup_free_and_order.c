// Automatic freeing with cleanup; the returned value is computed before the cleanup runs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int frees; static void freep(void *p) { void *q = *(void **)p; if (q) frees++; free(q); }
#define AUTO __attribute__((cleanup(freep)))
static int len(const char *a, const char *b) {
    AUTO char *s = malloc(strlen(a) + strlen(b) + 1);
    strcpy(s, a);
    if (!*b) return strlen(s);
    AUTO char *t = strdup(b);
    strcat(s, t);
    return strlen(s);
}
static char *steal(char **p) { char *q = *p; *p = 0; return q; }
static char *make(int ok) { AUTO char *s = strdup("kept"); if (!ok) return 0; s[0] = 'K'; return steal(&s); }
static void unlock(int **l) { --**l; }
static int locked;
static int body(void) {
    int *l __attribute__((cleanup(unlock))) = &locked;
    ++*l;
    return locked;
}
int main(void) {
    printf("%d %d\n", len("abc", "de"), len("abc", ""));
    printf("frees %d\n", frees);
    char *k = make(1), *z = make(0);
    printf("%s %d %d\n", k, z == 0, frees);
    free(k);
    int r = body();
    printf("%d %d\n", r, locked);
    return frees;
}
