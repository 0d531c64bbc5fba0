// Days from civil dates and back, without the time library.
#include <stdio.h>
struct date { int y, m, d; };
static long days(struct date c) {
    int y = c.y - (c.m <= 2);
    long era = (y >= 0 ? y : y - 399) / 400;
    unsigned yoe = y - era * 400, doy = (153 * (c.m + (c.m > 2 ? -3 : 9)) + 2) / 5 + c.d - 1, doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    return era * 146097 + (long)doe - 719468;
}
static struct date civil(long z) {
    z += 719468;
    long era = (z >= 0 ? z : z - 146096) / 146097;
    unsigned doe = z - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    return (struct date){(int)(yoe + era * 400) + (mp >= 10), mp < 10 ? mp + 3 : mp - 9, doy - (153 * mp + 2) / 5 + 1};
}
int main(void) {
    struct date ds[] = {{1970, 1, 1}, {2000, 2, 29}, {1969, 12, 31}, {2026, 11, 15}, {1600, 3, 1}, {-1, 1, 1}};
    for (int i = 0; i < 6; i++) {
        long n = days(ds[i]);
        struct date b = civil(n);
        printf("%d-%02d-%02d %ld %d\n", b.y, b.m, b.d, n, b.y == ds[i].y && b.m == ds[i].m && b.d == ds[i].d);
    }
    int bad = 0;
    for (long z = -200000; z < 200000; z += 37) bad += days(civil(z)) != z;
    printf("%d\n", bad);
    int fri13 = 0;
    for (int m = 1; m <= 12; m++) fri13 += ((days((struct date){2026, m, 13}) % 7 + 7) % 7) == 1;
    printf("%d\n", fri13);
    return fri13;
}
