// Collects the names in a folder into a list.
// run: .
// run: words.txt
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names { struct names *next; char text[]; };

static struct names *collect(const char *folder) {
    DIR *d = opendir(folder);
    struct names *all = NULL;
    if (!d) return NULL;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        struct names *n = malloc(sizeof *n + strlen(e->d_name) + 1);
        if (n == NULL) break;
        strcpy(n->text, e->d_name);
        n->next = all;
        all = n;
    }
    closedir(d);
    return all;
}

int main(int argc, char **argv) {
    struct names *all = collect(argv[argc - 1]);
    int count = 0;
    while (all) {
        struct names *n = all;
        all = n->next;
        count++;
        free(n);
    }
    puts(count > 0 ? "some" : "none");
    return 0;
}
