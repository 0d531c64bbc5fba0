// Long literals across continued lines, adjacent pieces, trigraph-free escapes, line splices in code.
#include <stdio.h>
#include <string.h>
#define LONG_MACRO(a, b) \
    do { \
        int t = (a) \
            * (b); \
        printf("%d\n", t); \
    } while (0)
static const char text[] =
    "first piece, "
    "second piece with \"quotes\", "
    "third with \\ and \ttab, "
    "fourth \
continued";
int ma\
in(void) {
    puts(text);
    printf("%zu\n", strlen(text));
    LONG_MACRO(6, 7);
    // a comment that goes on \
    puts("not printed");
    const char *e = "\a\b\f\v\e\0after"; printf("%d %d %d %d %d %s\n", e[0], e[1], e[2], e[3], e[4], e + 6);
    printf("%s\n", "\x41" "B" "\103"); printf("%d\n", '\'' + '"'); /* multi
    line */ int x = 1 /* in */ + /* two */ 2; printf("%d\n", x);
    return sizeof "\x41" "B";
}
