// Observers subscribe with a context of their own and may leave.
// run: leave
// run: stay
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct observer {
    void (*notify)(void *context, int value);
    void (*release)(void *context);
    void *context;
    struct observer *next;
};

static struct observer *observers;

static int subscribe(void (*notify)(void *, int), void (*release)(void *), void *context) {
    struct observer *o = malloc(sizeof *o);
    if (o == NULL) return -1;
    o->notify = notify;
    o->release = release;
    o->context = context;
    o->next = observers;
    observers = o;
    return 0;
}

static void unsubscribe(void *context) {
    for (struct observer **p = &observers; *p; p = &(*p)->next) {
        if ((*p)->context == context) {
            struct observer *o = *p;
            *p = o->next;
            free(o);
            return;
        }
    }
}

static void unsubscribe_all(void) {
    while (observers) {
        struct observer *o = observers;
        observers = o->next;
        if (o->release) o->release(o->context);
        free(o);
    }
}

static void add_to(void *context, int value) { *(long *)context += value; }
static void print(void *context, int value) { printf("%s%d\n", (char *)context, value); }

int main(int argc, char **argv) {
    long *total = calloc(1, sizeof *total);
    if (!total || subscribe(add_to, free, total) != 0) return 3;
    subscribe(print, NULL, "value ");
    for (struct observer *o = observers; o; o = o->next) o->notify(o->context, 5);
    if (strcmp(argv[argc - 1], "leave") == 0) unsubscribe(total);
    unsubscribe_all();
    return 0;
}
