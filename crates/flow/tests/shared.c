void *malloc(unsigned long);
void free(void *);
int cond(void);

struct node {
  struct node *next;
  char *text;
};

static char *same(char *p) { return p; }

static char *twice(char *p) { return same(same(p)); }

static void put(struct node **list, char *text) {
  struct node *n = malloc(sizeof *n);
  n->next = *list;
  n->text = text;
  *list = n;
}

static void drop(struct node *n) {
  if (!n) return;
  drop(n->next);
  free(n->text);
  free(n);
}

void a(void) {
  char *p = malloc(1);
  free(twice(p));
}

void b(void) {
  char *p = malloc(2);
  char *q = malloc(3);
  if (cond()) p = twice(q);
  free(p);
}

void c(void) {
  struct node *list = 0;
  while (cond()) put(&list, malloc(4));
  drop(list);
}
