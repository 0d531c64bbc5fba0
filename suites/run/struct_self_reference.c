// Mutually referring struct types, incomplete types, opaque handles.
#include <stdio.h>
struct node; struct edge;
typedef struct node node; typedef struct edge edge;
struct edge { node *to; edge *next; int w; };
struct node { const char *name; edge *out; int seen; };
static void link(node *a, node *b, edge *e, int w) { e->to = b; e->w = w; e->next = a->out; a->out = e; }
static int walk(node *n, int depth) {
    if (n->seen) return 0;
    n->seen = 1; printf("%*s%s\n", depth * 2, "", n->name);
    int s = 0; for (edge *e = n->out; e; e = e->next) s += e->w + walk(e->to, depth + 1);
    return s;
}
int main(void) {
    node n[4] = {{"a"}, {"b"}, {"c"}, {"d"}}; edge e[5];
    link(n, n + 1, e, 1);
    link(n, n + 2, e + 1, 2);
    link(n + 1, n + 3, e + 2, 4);
    link(n + 2, n + 3, e + 3, 8);
    link(n + 3, n, e + 4, 16);
    int s = walk(n, 0);
    printf("%d\n", s);
    printf("%s\n", n->out->next->to->out->to->out->to->name);
    return s;
}
