// Finished jobs are released at once, the rest at the end.
// run: 1 0 1
// run: 0 0
// run: 0 2 0
#include <stdio.h>
#include <stdlib.h>

struct job { int id; };

static struct job **jobs_new(int n) {
    struct job **jobs = calloc((size_t)n, sizeof *jobs);
    for (int i = 0; jobs && i < n; i++) {
        jobs[i] = malloc(sizeof **jobs);
        if (jobs[i]) jobs[i]->id = i;
    }
    return jobs;
}

int main(int argc, char **argv) {
    int n = argc - 1, left = n;
    struct job **jobs = jobs_new(n);
    if (jobs == NULL) return 3;
    for (int i = 0; i < n; i++) {
        switch (atoi(argv[i + 1])) {
        case 1:
            free(jobs[i]);
            jobs[i] = NULL;
            left--;
            break;
        case 2:
            free(jobs[i]);
            left--;
            break;
        }
    }
    printf("%d left\n", left);
    for (int i = 0; i < n; i++) free(jobs[i]);
    free(jobs);
    return 0;
}
