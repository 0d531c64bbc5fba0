/* Reads names, one per line, and prints them in reverse order.
   It loses memory on one path: when `push` fails, the copied name has no owner any more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
};

static struct node *push(struct node *head, char *name)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return NULL;
    node->next = head;
    node->name = name;
    return node;
}

static void release(struct node *head)
{
    while (head) {
        struct node *next = head->next;
        free(head->name);
        free(head);
        head = next;
    }
}

int main(void)
{
    char line[256];
    struct node *head = NULL;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *name = strdup(line);
        struct node *first = push(head, name);
        if (!first) {
            release(head);
            return 1;
        }
        head = first;
    }
    for (struct node *node = head; node; node = node->next)
        puts(node->name);
    release(head);
    return 0;
}
