// Reads key = value lines from standard input and looks one key up.
// run: port < "host = a\nport = 80\n# note\n"
// run: none < "host = a\nbroken\n"
// run: host < ""
// run:
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    char *key;
    char *value;
    struct setting *next;
};

static char *trimmed(const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from)) from++;
    while (to > from && isspace((unsigned char)to[-1])) to--;
    size_t n = (size_t)(to - from);
    char *copy = malloc(n + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, from, n);
    copy[n] = '\0';
    return copy;
}

static struct setting *parse_line(const char *line) {
    if (line[0] == '#') return NULL;
    const char *equals = strchr(line, '=');
    if (equals == NULL) {
        fprintf(stderr, "ignored: %s", line);
        return NULL;
    }
    struct setting *s = malloc(sizeof *s);
    if (s == NULL) return NULL;
    s->key = trimmed(line, equals);
    s->value = trimmed(equals + 1, line + strlen(line));
    s->next = NULL;
    return s;
}

static void release(struct setting *list) {
    while (list != NULL) {
        struct setting *next = list->next;
        free(list->key);
        free(list->value);
        free(list);
        list = next;
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    char line[128];
    struct setting *all = NULL;
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct setting *s = parse_line(line);
        if (s == NULL) continue;
        s->next = all;
        all = s;
    }
    int status = 1;
    for (struct setting *s = all; s != NULL; s = s->next) {
        if (s->key && s->value && strcmp(s->key, argv[1]) == 0) {
            printf("%s\n", s->value);
            status = 0;
        }
    }
    release(all);
    return status;
}
