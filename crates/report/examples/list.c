#include "list.h"

struct list {
	char **items;
	int count, full;
};

static int list_has (struct list *list, const char *name)
{
	for (int i = 0; i < list->count; i++)
		if (strcmp (list->items[i], name) == 0)
			return 1;
	return 0;
}

/* Größe und 漢字 in a comment, for columns. */
int load (struct list *list, const char *name)
{
	char *copy = strdup (name);
	if (copy == NULL)
		return -1;
	if (list->full)
		return -2;
	list->items[list->count++] = copy;
	return 0;
}

int fill (struct list *list, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		list->items = GROW (list, n); /* Größe: 漢字 */
		if (list->items[i])
			load (list, list->items[i]);
	}
	return i;
}

void once (void)
{
	malloc (8); /* caulk: allow(leak) the table lives as long as the process */
}
