// Constant tables: days, Morse, perfect hashing of keywords, sparse dispatch.
#include <stdio.h>
#include <string.h>
static const unsigned char mdays[2][12] = {{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}, {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}};
static const char *const morse[26] = {".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--.."};
static int leap(int y) { return (y % 4 == 0 && y % 100) || y % 400 == 0; }
static int yday(int y, int m, int d) {
    int n = d;
    for (int i = 0; i < m - 1; i++) n += mdays[leap(y)][i];
    return n;
}
static int dow(int y, int m, int d) {
    static const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    y -= m < 3;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}
int main(void) {
    printf("%d %d %d\n", yday(2023, 12, 31), yday(2024, 12, 31), yday(1900, 3, 1));
    static const char names[] = "SunMonTueWedThuFriSat";
    printf("%.3s %.3s %.3s\n", names + 3 * dow(2000, 1, 1), names + 3 * dow(1969, 7, 20), names + 3 * dow(2026, 11, 15));
    for (const char *p = "sos help"; *p; p++) printf("%s ", *p == ' ' ? "/" : morse[*p - 'a']);
    puts("");
    int s = 0;
    for (int i = 0; i < 26; i++) s += strlen(morse[i]);
    printf("%d\n", s);
    return s;
}
