// At file scope a compound literal has static storage.
#include <stdio.h>
struct opt { const char *name; int *vals; int n; };
static int *const primes = (int[]){2, 3, 5, 7, 11};
static struct opt opts[] = {{"a", (int[]){1, 2}, 2}, {"b", (int[3]){4}, 3}, {"c", &(int){9}, 1}};
static struct opt *dflt = &(struct opt){"dflt", 0, 0};
static const char **words = (const char *[]){"x", "yy", 0};
static struct opt copy = (struct opt){"copy", 0, 5};
static int *const shared = &(int){10};
static int counter(void) { static int *state; if (!state) state = shared; return ++*state; }
int main(void) {
    int s = 0; for (int i = 0; i < 5; i++) s += primes[i];
    printf("%d\n", s);
    for (unsigned i = 0; i < 3; i++) {
        printf("%s:", opts[i].name);
        for (int j = 0; j < opts[i].n; j++) printf(" %d", opts[i].vals[j]);
        puts("");
    }
    opts[1].vals[2] = 77; printf("%d\n", opts[1].vals[2]);
    dflt->n += 3; printf("%s %d %s %d\n", dflt->name, dflt->n, copy.name, copy.n);
    for (const char **w = words; *w; w++) printf("%s ", *w);
    puts("");
    counter(); counter(); printf("%d\n", counter());
    return s;
}
