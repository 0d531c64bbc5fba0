// Doubles printed with 17 digits and %a read back exactly.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    double xs[] = {0.1, 1.0 / 3, 1e22, 123456.789, 5e-324, 1.7976931348623157e308, -0.0, 2.5, 1e-7, 9007199254740993.0};
    int ok = 0;
    char b[64];
    for (int i = 0; i < 10; i++) {
        snprintf(b, sizeof b, "%.17g", xs[i]);
        double y = strtod(b, NULL);
        snprintf(b, sizeof b, "%a", xs[i]);
        double z = strtod(b, NULL);
        ok += !memcmp(&y, xs + i, 8) + !memcmp(&z, xs + i, 8);
        printf("%.17g %s\n", xs[i], b);
    }
    printf("%d\n", ok);
    float fs[] = {0.1f, 16777216.0f, 3.4028235e38f, 1.17549435e-38f};
    for (int i = 0; i < 4; i++) {
        snprintf(b, sizeof b, "%.9g", fs[i]);
        float g = strtof(b, NULL);
        ok += g == fs[i];
        printf("%s ", b);
    }
    puts("");
    return ok;
}
