// float and double arithmetic, exact cases and rounding.
#include <stdio.h>
#include <float.h>
int main(void) {
    float f = 0.1f; double d = 0.1;
    printf("%d %.10f %.20f\n", f == d, f, d);
    float sum = 0; for (int i = 0; i < 10; i++) sum += 0.1f;
    double dsum = 0; for (int i = 0; i < 10; i++) dsum += 0.1;
    printf("%.9f %.17f %d\n", sum, dsum, dsum == 1.0);
    printf("%.6f %.6f %.6f\n", 7.0 / 3, -7.0 / 3, 1e10 / 7);
    printf("%g %g %g\n", 1.0 / 3 * 3, 1e308 * 10, -1e308 * 10);
    printf("%d %d %d\n", 0.0 == -0.0, 1 / 0.5 == 2, 0.1 + 0.2 == 0.3);
    float big = 16777216.0f; printf("%.1f %.1f\n", big + 1.0f, big + 2.0f);
    double dbig = 9007199254740992.0; printf("%.1f %.1f\n", dbig + 1, dbig + 2);
    printf("%d %d %d\n", FLT_MANT_DIG, DBL_MANT_DIG, DBL_MAX_EXP);
    printf("%g %g %g\n", FLT_MAX, DBL_MIN, DBL_EPSILON);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%f %f\n", (float)1e-46, (double)1e-300 * 1e-300);
    double x = 2; for (int i = 0; i < 6; i++) x = (x + 2 / x) / 2;
    printf("%.15f\n", x);
    return x > 1.414 && x < 1.415 ? 0 : 1;
}
