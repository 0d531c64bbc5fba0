// A pool takes what it is given, also when it has no room for it.
// run: 1
// run: 4
#include <stdio.h>
#include <stdlib.h>

#define ROOM 2

struct job {
    int id;
    double *samples;
};

struct pool {
    struct job *jobs[ROOM];
    int used;
};

static void job_free(struct job *j) {
    free(j->samples);
    free(j);
}

static struct job *job_new(int id) {
    struct job *j = malloc(sizeof *j);
    if (j == NULL) return NULL;
    j->id = id;
    j->samples = calloc(4, sizeof *j->samples);
    if (j->samples == NULL) {
        free(j);
        return NULL;
    }
    return j;
}

/* Owns the job from here on, whatever happens. */
static int pool_give(struct pool *p, struct job *j) {
    if (j == NULL) return -1;
    if (p->used == ROOM) {
        job_free(j);
        return -1;
    }
    p->jobs[p->used++] = j;
    return 0;
}

int main(int argc, char **argv) {
    struct pool p = {{0}, 0};
    int refused = 0;
    for (int i = 0; i < atoi(argv[argc - 1]); i++)
        if (pool_give(&p, job_new(i)) != 0) refused++;
    printf("%d kept, %d refused\n", p.used, refused);
    while (p.used > 0) job_free(p.jobs[--p.used]);
    return 0;
}
