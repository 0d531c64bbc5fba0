// A record with an owned member is set from a fresh one.
// run: 1
// run: 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct track {
    char *title;
    int seconds;
};

static struct track track_of(const char *title, int seconds) {
    struct track t = {strdup(title), seconds};
    return t;
}

static void longer(struct track *best, struct track other) {
    if (other.seconds > best->seconds) *best = other;
    else free(other.title);
}

int main(int argc, char **argv) {
    struct track best = track_of("silence", 1);
    if (atoi(argv[argc - 1]) == 2) longer(&best, track_of("song", 200));
    longer(&best, track_of("beep", 0));
    puts(best.title ? best.title : "");
    free(best.title);
    return 0;
}
