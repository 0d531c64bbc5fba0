// Counts the keys of one section of a settings file.
// run: settings.ini paths
// run: settings.ini other
// run: words.txt x
// run: missing x
#include <stdio.h>
#include <string.h>

static int count_keys(const char *file, const char *section) {
    FILE *in = fopen(file, "r");
    if (!in) return -1;
    char line[100], head[100];
    int inside = 0, keys = 0;
    snprintf(head, sizeof head, "[%.90s]", section);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '[') {
            if (inside) break;
            inside = strcmp(line, head) == 0;
            continue;
        }
        if (!inside) continue;
        if (strchr(line, '=') == NULL) return -2;
        keys++;
    }
    fclose(in);
    return keys;
}

int main(int argc, char **argv) {
    int keys = count_keys(argv[1], argv[argc - 1]);
    printf("%d\n", keys);
    return keys < 0;
}
