// Two-pointer algorithms on one array.
#include <stdio.h>
#include <string.h>
static void reverse(char *s) { char *e = s + strlen(s); while (s < --e) { char t = *s; *s++ = *e; *e = t; } }
static int palin(const char *s) {
    const char *e = s + strlen(s) - 1;
    for (; s < e; s++, e--) if (*s != *e) return 0;
    return 1;
}
static int *partition(int *lo, int *hi, int pivot) {
    while (lo < hi) {
        if (*lo < pivot) lo++;
        else {
            int t = *--hi;
            *hi = *lo;
            *lo = t;
        }
    }
    return lo;
}
static int pairs(const int *a, int n, int want) {
    const int *l = a, *r = a + n - 1;
    int c = 0;
    while (l < r) {
        int s = *l + *r;
        if (s == want) {
            c++;
            l++;
            r--;
        } else if (s < want) l++;
        else r--;
    }
    return c;
}
int main(void) {
    char b[] = "stressed"; reverse(b); puts(b); char one[] = "x"; reverse(one); puts(one);
    printf("%d %d %d\n", palin("racecar"), palin("abca"), palin("abba"));
    int v[] = {5, 1, 8, 3, 9, 2, 7};
    int *m = partition(v, v + 7, 5);
    printf("%td:", m - v);
    for (int i = 0; i < 7; i++) printf(" %d", v[i]);
    puts("");
    int s[] = {1, 2, 3, 4, 5, 6, 7, 8}; printf("%d %d\n", pairs(s, 8, 9), pairs(s, 8, 5));
    char sp[] = "a  b   c d", *w = sp;
    for (char *r = sp; *r; r++) if (*r != ' ' || (w > sp && w[-1] != ' ')) *w++ = *r;
    *w = 0;
    printf("[%s]\n", sp);
    return (int)(m - v);
}
