// abs, labs, div, getenv absent, exit statuses, size of RAND_MAX untouched.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    printf("%d %ld %lld\n", abs(-7), labs(-7000000000L), llabs(-7LL));
    div_t d = div(17, -5);
    printf("%d %d\n", d.quot, d.rem);
    ldiv_t l = ldiv(-17, 5);
    printf("%ld %ld\n", l.quot, l.rem);
    lldiv_t q = lldiv(-9000000000LL, 7);
    printf("%lld %lld\n", q.quot, q.rem);
    printf("%d\n", getenv("CAULK_SURELY_UNSET_VARIABLE") == NULL);
    printf("%d %d\n", EXIT_SUCCESS, EXIT_FAILURE);
    char *p = NULL;
    free(p);
    p = realloc(NULL, 4);
    p[0] = 'r';
    printf("%c\n", *p);
    free(p);
    exit(d.rem * 10 + EXIT_FAILURE);
}
