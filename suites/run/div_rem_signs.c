// Division truncates towards zero and the remainder has the dividend's sign.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int xs[] = {7, -7, 1, -1, 0, 2147483647, -2147483647};
    int ys[] = {3, -3, 2, -2, 1, -1, 1000};
    unsigned sum = 0;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            int q = xs[i] / ys[j], r = xs[i] % ys[j];
            if (q * ys[j] + r != xs[i]) return 1;
            sum = sum * 31 + (unsigned)q * 7 + (unsigned)r;
            if (i < 2) printf("%d/%d=%d r %d\n", xs[i], ys[j], q, r);
        }
    printf("%u\n", sum);
    div_t d = div(-17, 5); ldiv_t l = ldiv(-17L, -5L); lldiv_t ll = lldiv(17, -5);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    printf("%d %ld %lld\n", abs(-5), labs(-5000000000L), llabs(-7LL));
    long long m = -9223372036854775807LL;
    printf("%lld %lld %lld\n", m / 10, m % 10, m / -1);
    unsigned u = 4294967295u;
    printf("%u %u %u %u\n", u / 10, u % 10, -7 / 2u, -7 % 2u);
    return 0;
}
