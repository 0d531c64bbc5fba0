//! Kinds that lose something.

use super::Explanation;

const CWE: u32 = 401;

pub const NEVER_FREED: Explanation = Explanation {
    cwe: CWE,
    meaning: "No path from the\nallocation releases it, and nothing that outlives the function \
        holds it.",
    example: "\
void greet (const char *name)
{
    char *text = malloc (strlen (name) + 8);
    sprintf (text, \"Hello, %s\", name);
    puts (text);
}
",
    reason: "Every call loses the memory. A program that runs for long grows until the system \
        stops it; for\nfiles and descriptors the limit is reached much sooner.",
    fix: "Release it after its last use, in the function that knows when that is. If another \
        function was\nmeant to take it over, check that it does: caulk saw that nobody keeps it.",
    fixed: "\
void greet (const char *name)
{
    char *text = malloc (strlen (name) + 8);
    sprintf (text, \"Hello, %s\", name);
    puts (text);
    free (text);
}
",
};

pub const SOME_PATH: Explanation = Explanation {
    cwe: CWE,
    meaning: "Some paths release\nit or hand it on, but at least one leaves the function without; \
        the steps show which.",
    example: "\
int load (const char *name)
{
    FILE *file = fopen (name, \"r\");
    if (file == NULL)
        return -1;
    if (read_header (file) < 0)
        return -1;
    read_rest (file);
    fclose (file);
    return 0;
}
",
    reason: "The forgotten path is mostly that of an error: it is seldom tested, and in production \
        it comes in\nswarms (a client that sends bad headers), each time losing a little more.",
    fix: "Release it on the path too. Where there are many exits, a single one at the end, reached \
        by `goto`,\nkeeps them alike; so does `__attribute__((cleanup))`.",
    fixed: "\
int load (const char *name)
{
    int result = -1;
    FILE *file = fopen (name, \"r\");
    if (file == NULL)
        return -1;
    if (read_header (file) < 0)
        goto out;
    read_rest (file);
    result = 0;
out:
    fclose (file);
    return result;
}
",
};

pub const OVERWRITTEN: Explanation = Explanation {
    cwe: CWE,
    meaning: "After\nthat assignment nothing in the program can release it any more.",
    example: "\
char *buffer = malloc (size);
buffer = realloc (buffer, 2 * size);
if (buffer == NULL)
    return -1;
",
    reason: "The old object is still allocated but unreachable. In a loop this happens in every \
        turn. With\n`realloc` it happens when memory is short, which is when it hurts.",
    fix: "Release the old object before the assignment, or assign to another variable first and \
        look at the\nresult.",
    fixed: "\
char *buffer = malloc (size);
char *larger = realloc (buffer, 2 * size);
if (larger == NULL) {
    free (buffer);
    return -1;
}
buffer = larger;
",
};

pub const LOST_WITH_OWNER: Explanation = Explanation {
    cwe: CWE,
    meaning: "The\nowner was released or lost first, and with it the only pointer to what it owned.",
    example: "\
struct item *item = malloc (sizeof *item);
item->name = strdup (name);
if (bad (item)) {
    free (item);
    return NULL;
}
",
    reason: "`free` releases one block, not what its members point to. The leak grows with every \
        owner, and is\nhard to see because there is a `free` right there.",
    fix: "Release the members before the owner. A function that does both, used everywhere, keeps \
        them\ntogether when members are added later.",
    fixed: "\
struct item *item = malloc (sizeof *item);
item->name = strdup (name);
if (bad (item)) {
    free (item->name);
    free (item);
    return NULL;
}
",
};

pub const SECOND_FAILURE: Explanation = Explanation {
    cwe: CWE,
    meaning: "The path\nexists only where one allocation succeeds and a later one does not.",
    example: "\
char *first = malloc (8);
char *second = malloc (8);
if (first == NULL || second == NULL)
    return -1;
",
    reason: "It needs memory to be short at just that moment, so many programs accept it. Libraries \
        and programs\nthat go on after a failed allocation should not. It is a kind of its own so \
        that a project can\ndecide once.",
    fix: "Release what was already made before leaving. `free (NULL)` does nothing, so one exit \
        for all\nfailures needs no conditions.",
    fixed: "\
char *first = malloc (8);
char *second = malloc (8);
if (first == NULL || second == NULL) {
    free (first);
    free (second);
    return -1;
}
",
};

pub const AT_EXIT: Explanation = Explanation {
    cwe: CWE,
    meaning: "The system\ntakes it back then, so it is not shown unless asked for.",
    example: "\
static struct config *config;

int main (void)
{
    config = read_config ();
    return serve (config);
}
",
    reason: "Nothing is lost while the program runs. It matters for libraries that are unloaded, \
        for code that is\nto become a library, for files whose buffers must reach the disk, and \
        for tools such as valgrind\nthat should stay silent.",
    fix: "Release it before `main` returns or in a function given to `atexit`; or leave it.",
    fixed: "\
static struct config *config;

int main (void)
{
    config = read_config ();
    int status = serve (config);
    free_config (config);
    return status;
}
",
};
