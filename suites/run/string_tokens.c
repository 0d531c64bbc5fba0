// strtok, strtok_r nested, strsep with empty fields.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void) {
    char a[] = "  one, two ,,three ";
    int n = 0;
    for (char *t = strtok(a, " ,"); t; t = strtok(NULL, " ,")) { printf("[%s] ", t); n++; }
    printf("%d\n", n);
    char b[] = "a=1;b=22;c=333", *s1, *s2;
    for (char *t = strtok_r(b, ";", &s1); t; t = strtok_r(NULL, ";", &s1)) {
        char *k = strtok_r(t, "=", &s2), *v = strtok_r(NULL, "=", &s2);
        printf("%s->%s ", k, v);
        n += strlen(v);
    }
    puts("");
    char c[] = "x,,y,", *p = c, *f;
    while ((f = strsep(&p, ","))) { printf("<%s>", f); n++; }
    puts("");
    char d[] = "delims change|here now";
    printf("%s ", strtok(d, " "));
    printf("%s ", strtok(NULL, "|"));
    printf("%s ", strtok(NULL, " "));
    printf("%s ", strtok(NULL, ""));
    printf("%d\n", strtok(NULL, " ") == NULL);
    char e[] = "";
    printf("%d\n", strtok(e, ",") == NULL);
    return n;
}
