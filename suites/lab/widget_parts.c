// A widget owns a title and a list of labels.
// run: 2
// run: 0
// run: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4

struct widget {
    char *title;
    char *labels[MOST];
    int count;
};

static int widget_init(struct widget *w, const char *title) {
    memset(w, 0, sizeof *w);
    w->title = strdup(title);
    return w->title ? 0 : -1;
}

static int widget_label(struct widget *w, const char *format, int n) {
    char *label = malloc(24);
    if (label == NULL) return -1;
    snprintf(label, 24, format, n);
    if (w->count == MOST) return -1;
    w->labels[w->count++] = label;
    return 0;
}

static void widget_done(struct widget *w) {
    for (int i = 0; i < w->count; i++) free(w->labels[i]);
    free(w->title);
}

int main(int argc, char **argv) {
    struct widget w;
    int n = atoi(argv[argc - 1]), full = 0;
    if (widget_init(&w, "main") != 0) return 3;
    for (int i = 0; i < n; i++)
        if (widget_label(&w, "label %d", i) != 0) full++;
    printf("%s: %d labels, %d refused\n", w.title, w.count, full);
    widget_done(&w);
    return 0;
}
