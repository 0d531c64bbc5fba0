//! Kinds that release too often, too early or in the wrong way.

use super::Explanation;

pub const DOUBLE_FREE: Explanation = Explanation {
    cwe: 415,
    meaning: "On one path the same\nobject is given to a releasing function a second time.",
    example: "\
char *line = read_line ();
if (parse (line) < 0)
    free (line);
report (line);
free (line);
",
    reason: "The second release works on memory that may already belong to something else. It \
        damages the heap,\ncrashes far from the mistake, and can be used to take over a program.",
    fix: "Let one place own the object and release it. Setting the pointer to NULL after a release \
        makes a\nsecond one harmless, but only for that pointer.",
    fixed: "\
char *line = read_line ();
if (parse (line) < 0) {
    free (line);
    return -1;
}
report (line);
free (line);
",
};

pub const USE_AFTER_FREE: Explanation = Explanation {
    cwe: 416,
    meaning: "A pointer to it\nis read, written or passed on although the object is gone.",
    example: "\
for (struct node *node = list; node != NULL; node = node->next)
    free (node);
",
    reason: "What stands there now is chance, or the choice of an attacker. It often works in tests, \
        because\nreleased memory keeps its contents for a while.",
    fix: "Take what is needed out of the object before it is released, or release it later.",
    fixed: "\
struct node *next;
for (struct node *node = list; node != NULL; node = next) {
    next = node->next;
    free (node);
}
",
};

pub const MISMATCHED_RELEASE: Explanation = Explanation {
    cwe: 762,
    meaning: "What one\nfamily of functions made, another releases.",
    example: "\
FILE *pipe = popen (\"sort\", \"w\");
fputs (text, pipe);
fclose (pipe);
",
    reason: "The wrong function leaves part of the resource behind (here a process that nobody waits \
        for), or\ndamages the heap if it manages memory differently.",
    fix: "Use the function that the documentation of the maker names.",
    fixed: "\
FILE *pipe = popen (\"sort\", \"w\");
fputs (text, pipe);
pclose (pipe);
",
};

pub const INVALID_RELEASE: Explanation = Explanation {
    cwe: 763,
    meaning: "Its address is\nthat of a variable, of a text in the program, or of a place inside of \
        what was allocated.",
    example: "\
char *line = malloc (size);
if (read_line (line, size)) {
    while (*line == ' ')
        line++;
    add (line);
}
free (line);
",
    reason: "The allocator takes what is before the address for its own notes: it damages the heap, or \
        ends the\nprogram.",
    fix: "Keep the address that the allocator gave, and release that.",
    fixed: "\
char *line = malloc (size), *at = line;
if (read_line (line, size)) {
    while (*at == ' ')
        at++;
    add (at);
}
free (line);
",
};

pub const DOUBLE_ACQUIRE: Explanation = Explanation {
    cwe: 764,
    meaning: "On one path the\nfunction that has it asks for it once more.",
    example: "\
pthread_mutex_lock (&list->lock);
if (list->length == 0)
    refill (list); /* takes list->lock */
pthread_mutex_unlock (&list->lock);
",
    reason: "A lock that is not recursive waits for itself: the thread stands still, and soon all \
        others do.",
    fix: "Release it before, or give the callee a form that expects it to be held. A lock that is \
        meant to be\ntaken several times has another machine (docs/machines.md).",
    fixed: "\
pthread_mutex_lock (&list->lock);
if (list->length == 0)
    refill_locked (list);
pthread_mutex_unlock (&list->lock);
",
};
