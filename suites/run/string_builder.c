// A growing string with formatted appends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
struct sb { char *p; size_t n, cap; int grows; };
static void need(struct sb *s, size_t k) {
    if (s->n + k + 1 > s->cap) {
        while (s->n + k + 1 > s->cap) s->cap = s->cap ? s->cap * 2 : 8;
        s->p = realloc(s->p, s->cap);
        s->grows++;
    }
}
static void addn(struct sb *s, const char *t, size_t k) {
    need(s, k);
    memcpy(s->p + s->n, t, k);
    s->n += k;
    s->p[s->n] = 0;
}
static void add(struct sb *s, const char *t) { addn(s, t, strlen(t)); }
static void addf(struct sb *s, const char *f, ...) {
    va_list ap;
    va_start(ap, f);
    int k = vsnprintf(NULL, 0, f, ap);
    va_end(ap);
    need(s, k);
    va_start(ap, f);
    vsnprintf(s->p + s->n, k + 1, f, ap);
    va_end(ap);
    s->n += k;
}
static void ins(struct sb *s, size_t at, const char *t) {
    size_t k = strlen(t);
    need(s, k);
    memmove(s->p + at + k, s->p + at, s->n - at + 1);
    memcpy(s->p + at, t, k);
    s->n += k;
}
static void cut(struct sb *s, size_t at, size_t k) {
    memmove(s->p + at, s->p + at + k, s->n - at - k + 1);
    s->n -= k;
}
int main(void) {
    struct sb s = {0};
    add(&s, "Hello");
    addf(&s, ", %s #%d", "world", 42);
    puts(s.p);
    for (int i = 0; i < 5; i++) addf(&s, "[%d]", i * i);
    puts(s.p);
    ins(&s, 5, " big");
    cut(&s, 0, 2);
    puts(s.p);
    printf("%zu %zu %d\n", s.n, s.cap, s.grows);
    char *rev = strdup(s.p);
    for (size_t i = 0; i < s.n; i++) rev[i] = s.p[s.n - 1 - i];
    puts(rev);
    int r = s.n;
    free(rev);
    free(s.p);
    return r;
}
