// Visits lines; the visitor decides by its result whether to go on.
// run: stop < "a\nb\nstop\nc\n"
// run: none < "a\nb\n"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*visitor)(char *line, void *context);

struct search {
    const char *wanted;
    char *found;
};

static int each_line(FILE *in, visitor visit, void *context) {
    char *line = NULL;
    size_t room = 0;
    int visited = 0;
    while (getline(&line, &room, in) > 0) {
        visited++;
        line[strcspn(line, "\n")] = '\0';
        if (!visit(line, context)) return visited;
    }
    free(line);
    return visited;
}

static int look(char *line, void *context) {
    struct search *s = context;
    if (strcmp(line, s->wanted) != 0) return 1;
    s->found = strdup(line);
    return 0;
}

int main(int argc, char **argv) {
    struct search s = {argv[argc - 1], NULL};
    int n = each_line(stdin, look, &s);
    printf("%d lines, %s\n", n, s.found ? s.found : "nothing");
    free(s.found);
    return 0;
}
