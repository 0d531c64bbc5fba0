// Wide and UTF-16/32 literals.
#include <stdio.h>
#include <stddef.h>
#include <wchar.h>
#include <uchar.h>
static size_t wlen(const wchar_t *s) { size_t n = 0; while (s[n]) n++; return n; }
int main(void) {
    const wchar_t *w = L"wide \u00e9\u4e2d"; printf("%zu %zu %x %x\n", wlen(w), sizeof(wchar_t), w[5], w[6]);
    wchar_t arr[] = L"ab" L"cd"; printf("%zu %c\n", sizeof arr / sizeof *arr, (char)arr[3]);
    const char16_t *u = u"x\U0001F600";
    int n = 0;
    while (u[n]) n++;
    printf("%d %x %x %x\n", n, u[0], u[1], u[2]);
    const char32_t *v = U"x\U0001F600";
    n = 0;
    while (v[n]) n++;
    printf("%d %x %x\n", n, (unsigned)v[0], (unsigned)v[1]);
    const char *b = u8"\u20ac";
    printf("%02x%02x%02x %d\n", (unsigned char)b[0], (unsigned char)b[1], (unsigned char)b[2], b[3]);
    printf("%d %d %d\n", L'A', u'B', U'\u00ff');
    printf("%zu %zu %zu\n", sizeof L'a', sizeof u'a', sizeof U'a');
    unsigned h = 0; for (const wchar_t *p = L"hash me"; *p; p++) h = h * 31 + *p; printf("%u\n", h);
    wchar_t two[2][3] = {L"ab", {L'x', L'y'}}; printf("%d %d\n", two[0][1], two[1][2]);
    printf("%zu %zu\n", sizeof L"abc", sizeof u"abc");
    return wlen(L"length");
}
