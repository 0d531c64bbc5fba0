// Lists the visible entries of a folder.
// run: . 100
// run: . 1
// run: no-such-folder 1
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int list(const char *folder, int most) {
    DIR *d = opendir(folder);
    if (d == NULL) return -1;
    int shown = 0;
    struct dirent *e;
    while ((e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.') continue;
        if (shown == most) return shown;
        shown++;
    }
    closedir(d);
    return shown;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = list(argv[1], atoi(argv[2]));
    printf("%s\n", n < 0 ? "cannot list" : n > 0 ? "some" : "none");
    return n < 0;
}
// run:
