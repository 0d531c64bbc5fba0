// Floating operands in conditions, switches after conversion, min/max.
#include <stdio.h>
static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }
static int sign(double x) { return (x > 0) - (x < 0); }
int main(void) {
    double xs[] = {-2.5, -0.0, 0.0, 1e-300, 3.75, 100};
    for (int i = 0; i < 6; i++) {
        printf("%g sign %d clamp %g not %d", xs[i], sign(xs[i]), clamp(xs[i], -1, 10), !xs[i]);
        switch ((int)xs[i]) {
            case -2: puts(" two");
            break;
            case 0: puts(" zero");
            break;
            case 3: puts(" three");
            break;
            default: puts(" other");
        }
    }
    int n = 0; for (float f = 0; f < 1; f += 0.125f) n++;
    printf("%d\n", n);
    double w = 10; while (w) { w = w > 1e-3 ? w / 4 : 0; n++; }
    printf("%d\n", n);
    printf("%d %d %d\n", 1.5 && 0.0, 0.0 || -0.5, 0.5 ? 3 : 4);
    double t = 1 ? 1 : 2.5; printf("%g %zu\n", t, sizeof(1 ? 1 : 2.5f));
    return n;
}
