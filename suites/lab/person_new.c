// A constructor with several members, each of which may fail.
// run: ann 1 paris
// run: bob 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
    char *name;
    int *scores;
    char *city;
};

static void person_free(struct person *p) {
    if (p == NULL) return;
    free(p->name);
    free(p->scores);
    free(p->city);
    free(p);
}

static struct person *person_new(const char *name, int count, const char *city) {
    struct person *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    if ((p->name = strdup(name)) == NULL) goto fail;
    if ((p->scores = calloc((size_t)count, sizeof *p->scores)) == NULL) goto fail;
    if (city != NULL && (p->city = strdup(city)) == NULL) goto fail;
    return p;
fail:
    person_free(p);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    struct person *p = person_new(argv[1], atoi(argv[2]), argc > 3 ? argv[3] : NULL);
    if (p == NULL) return 1;
    printf("%s of %s\n", p->name, p->city ? p->city : "nowhere");
    person_free(p);
    return 0;
}
// run: x
