// A table-driven recogniser of decimal floating constants and a traffic light.
#include <stdio.h>
enum cls { DIG, DOT, EXP, SGN, OTH, NC };
enum st { S0, INT, FRAC, DOT0, E0, ES, EN, ERR, NS };
static const unsigned char tr[NS][NC] = {[S0] = {INT, DOT0, ERR, S0 + ERR, ERR}, [INT] = {INT, FRAC, E0, ERR, ERR}, [FRAC] = {FRAC, ERR, E0, ERR, ERR}, [DOT0] = {FRAC, ERR, ERR, ERR, ERR}, [E0] = {EN, ERR, ERR, ES, ERR}, [ES] = {EN, ERR, ERR, ERR, ERR}, [EN] = {EN, ERR, ERR, ERR, ERR}, [ERR] = {ERR, ERR, ERR, ERR, ERR}};
static enum cls cl(char c) {
    return c >= '0' && c <= '9' ? DIG : c == '.' ? DOT : c == 'e' || c == 'E' ? EXP : c == '+' || c == '-' ? SGN : OTH;
}
static const char *run(const char *s) {
    enum st q = S0;
    while (*s) q = tr[q][cl(*s++)];
    return q == INT ? "int" : q == FRAC || q == EN ? "float" : "bad";
}
struct light { const char *name; int secs; struct light *next; };
int main(void) {
    const char *ts[] = {"12", "1.5", ".5", "1.", ".", "1e9", "1.5e-3", "e5", "1e", "1e+", "12a", "", "1..2"};
    int good = 0;
    for (unsigned i = 0; i < sizeof ts / sizeof *ts; i++) {
        const char *r = run(ts[i]);
        printf("%s:%s ", ts[i], r);
        good += r[0] != 'b';
    }
    puts("");
    struct light red = {"red", 3, 0}, amber = {"amber", 1, &red}, green = {"green", 2, &amber}, *l = &red;
    red.next = &green;
    int left = l->secs;
    for (int t = 0; t < 14; t++) {
        printf("%c", l->name[0]);
        if (--left == 0) { l = l->next; left = l->secs; }
    }
    puts("");
    return good;
}
