// The Mandelbrot set in text with exact binary steps.
#include <stdio.h>
int main(void) {
    int total = 0;
    for (int y = -8; y <= 8; y++) {
        for (int x = -32; x <= 8; x++) {
            double cr = x / 16.0, ci = y / 8.0, zr = 0, zi = 0;
            int n = 0;
            while (n < 40 && zr * zr + zi * zi < 4) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                n++;
            }
            putchar(" .:-=+*#%@"[n / 4 > 9 ? 9 : n / 4]);
            total += n;
        }
        putchar('\n');
    }
    printf("%d\n", total);
    return total & 0x7f;
}
