// Transcendental functions printed with few digits. Needs -lm.
#include <stdio.h>
#include <math.h>
int main(void) {
    for (int i = -3; i <= 3; i++) {
        double x = i * 0.75;
        printf("%.6f %.6f %.6f %.6f %.6f\n", sin(x), cos(x), tan(x), atan(x), exp(x));
    }
    for (int i = 1; i < 6; i++) printf("%.6f %.6f %.6f %.6f\n", log(i), log10(i), log2(i), pow(i, 2.5));
    printf("%.6f %.6f %.6f %.6f\n", asin(0.5), acos(0.5), atan2(1, -1), sinh(1));
    printf("%g %g %g %g\n", pow(2, 10), pow(2, -1), pow(9, 0.5), exp(0));
    printf("%.5f %.5f\n", sqrtf(2), (double)powf(3, 1.5f));
    double s = 0;
    for (int k = 0; k < 1000; k++) s += (k % 2 ? -4.0 : 4.0) / (2 * k + 1);
    printf("%.4f %.4f\n", s, acos(-1));
    return (int)pow(3, 4);
}
