// Links are embedded in the objects; the object is found from its link.
// run: 3
// run: 1
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct link { struct link *next; };

struct task {
    int id;
    char *title;
    struct link link;
};

#define TASK_OF(l) ((struct task *)((char *)(l) - offsetof(struct task, link)))

static struct link *tasks;

static int add(int id) {
    struct task *t = malloc(sizeof *t);
    if (t == NULL) return -1;
    t->id = id;
    t->title = malloc(16);
    if (t->title == NULL) {
        free(t);
        return -1;
    }
    snprintf(t->title, 16, "task %d", id);
    t->link.next = tasks;
    tasks = &t->link;
    return 0;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < n; i++)
        if (add(i) != 0) break;
    while (tasks) {
        struct task *t = TASK_OF(tasks);
        tasks = tasks->next;
        puts(t->title);
        free(t->title);
        free(t);
    }
    return 0;
}
// run:
