// Jumps backward over declarations re-run their initialisers.
#include <stdio.h>
int main(void) {
    int n = 0, log[8];
again:;
    int x = 5;
    int arr[3] = {n, n + 1};
    x += n;
    log[n] = x * 100 + arr[0] + arr[1] + arr[2];
    arr[2] = 77;
    if (++n < 4) goto again;
    for (int i = 0; i < 4; i++) printf("%d ", log[i]); puts("");
    int k = 1;
grow: {
    int v[k];
    for (int i = 0; i < k; i++) v[i] = i * k;
    printf("%d ", v[k - 1]);
    k *= 2;
    if (k < 40) goto grow;
}
puts("");
    int c = 0; { int i = 0; inner: i++; c += i; if (i < 5) goto inner; } printf("%d\n", c);
    int m = 0;
    a: switch (m++) {
        case 0: goto a;
        case 1: {
            int z = m;
            m = z + 1;
            goto a;
        }
        case 3: break;
        default: goto a;
    }
    printf("%d\n", m);
    return m;
}
