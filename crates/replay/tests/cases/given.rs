//! What the rest of the program gives a function: its callers, `main` before it, tables that nobody
//! writes. What nobody gives is no proof.

use super::{confirmed, leak, refuted};
use caulk_finding::{Outcome, Proof};

#[track_caller]
fn conditional(outcome: &Outcome, why: &str) {
    assert_eq!(outcome.proof, Proof::Conditional, "{outcome:?}");
    assert!(outcome.why.contains(why), "{}", outcome.why);
}

const NO_CALL: &str = "no call of it was found that gives this";

/// A header is read behind a test of its first letter.
const HEADER: &str = "static int header(const char *line) { char *copy = malloc(8); /* here */
        if (!copy) return -1;
        if (line[0] != '[') return -1;
        free(copy); return 0; }
    int f(const char *line) { return line[0] == '[' ? header(line) : 0; }";

#[test]
fn a_text_that_the_only_caller_has_looked_at() {
    conditional(&leak(HEADER), NO_CALL);
    let skipping = "static int header(const char *line) { char *copy = malloc(8); /* here */
            if (!copy) return -1;
            while (line[0] == ' ') line++;
            if (line[0] != '[') return -1;
            free(copy); return 0; }
        struct reader { const char *line; int number; };
        int f(struct reader *it) { const char *at = it->line;
            while (*at == ' ') at++;
            it->number++;
            switch (*at) { case '[': return header(it->line); default: return 0; } }";
    conditional(&leak(skipping), NO_CALL);
}

#[test]
fn another_caller_that_gives_it_is_enough() {
    let other = format!("{HEADER} int g(const char *line) {{ return header(line); }}");
    confirmed(&leak(&other), &[]);
    let taken = format!("{HEADER} int (*g(void))(const char *) {{ return header; }}");
    confirmed(&leak(&taken), &[]);
}

#[test]
fn a_number_that_the_caller_has_checked() {
    let c = |least: i32| {
        format!(
            "struct list {{ int count; char **names; }};
            static int keep(struct list *all) {{ char *p = malloc(8); /* here */
                if (!p) return -1;
                if (all->count == 0) return -1;
                all->names[0] = p; return 0; }}
            int f(struct list *all) {{ if (all->count < {least}) return -1; return keep(all); }}"
        )
    };
    conditional(&leak(&c(1)), NO_CALL);
    confirmed(&leak(&c(0)), &[("all->count", "0")]);
}

/// The memory is what the caller has made of it.
#[test]
fn memory_of_the_caller() {
    let c = |mode: i32| {
        format!(
            "struct options {{ int mode; int level; }};
            static int use(const struct options *it) {{ char *p = malloc(8); /* here */
                if (!p) return -1;
                if (it->mode == 7) return -1;
                free(p); return it->level; }}
            int f(int level) {{ struct options it = {{ {mode}, level }}; return use(&it); }}"
        )
    };
    conditional(&leak(&c(1)), NO_CALL);
    confirmed(&leak(&c(7)), &[]);
}

/// One record of a type is given names, the other never.
#[test]
fn a_member_that_nobody_sets_in_this_record() {
    let c = |more: &str| {
        format!(
            "struct conf {{ char *name; int where; }};
            struct item {{ struct conf conf; struct item *next; }};
            static struct conf defaults; static struct item *items;
            static void set(int *where, int to) {{ if (to > 0) *where = to; }}
            int f(const char *name, int where) {{
                struct item *it = calloc(1, sizeof *it);
                if (!it) return -1;
                set(&defaults.where, where); {more}
                it->conf = defaults;
                if (it->conf.name) {{
                    it->conf.name = malloc(4); /* here */
                    if (where > 3) it->conf.name = NULL;
                }} else it->conf.name = NULL;
                it->next = items; items = it; return 0; }}
            void rename_first(char *name) {{ items->conf.name = name; }}
            const struct conf *known(int n) {{ return n ? &items->conf : &defaults; }}"
        )
    };
    refuted(&leak(&c("")));
    confirmed(&leak(&c("if (where == 9) defaults.name = \"x\";")), &[]);
}

/// Options are read before anything else is done.
#[test]
fn what_main_has_set_before() {
    let c = |before: &str, behind: &str| {
        format!(
            "int odd(void);
            struct settings {{ int threads; int level; }};
            static struct settings settings;
            static char *kept[16];
            static void setup(void) {{ settings.threads = 0; settings.level = odd(); }}
            static int work(void) {{
                char *p = malloc(8); /* here */
                if (!p) return 1;
                for (int i = 0; i < settings.threads; i++) kept[i] = p;
                return 0; }}
            static int all(int n) {{ return n > 1 ? work() : 0; }}
            int main(int argc, char **argv) {{
                setup(); {before}
                if (argc > 2) settings.threads = 1; else settings.threads = settings.level;
                {behind} return all(argc); }}"
        )
    };
    conditional(&leak(&c("", "")), "settings.threads = 0");
    confirmed(&leak(&c("if (argc > 4) return all(argc);", "")), &[("settings.threads", "0")]);
    confirmed(&leak(&c("", "if (argc == 3) setup();")), &[("settings.threads", "0")]);
}

/// A hook that the program installs, here by a function of its own, and one that nobody does.
#[test]
fn a_hook_that_the_program_installs() {
    let c = |main: &str| {
        format!(
            "static void (*on_error)(int);
            void set_on_error(void (*hook)(int)) {{ on_error = hook; }}
            int parse(int line) {{
                char *p = malloc(8); /* here */
                if (!p) return -1;
                if (line > 3) {{ if (on_error) on_error(line); return -1; }}
                free(p); return 0; }}
            static void fatal(int line) {{ exit(line); }}
            static int setup(int n) {{ if (n > 9) return 1; set_on_error(fatal); return parse(n); }}
            {main}"
        )
    };
    conditional(
        &leak(&c("int main(int n, char **v) { return setup(n) + parse(n); }")),
        "on_error = NULL",
    );
    confirmed(&leak(&c("int main(int n, char **v) { return parse(n); }")), &[("on_error", "NULL")]);
    confirmed(&leak(&c("")), &[("on_error", "NULL")]);
}

/// Which of several functions a structure of the caller's has is for the caller to say.
#[test]
fn one_of_several_functions_in_a_member() {
    let c = |tables: &str| {
        format!(
            "struct table {{ void *(*make)(size_t); }};
            static void *none(size_t size) {{ (void)size; return NULL; }}
            static void *some(size_t size) {{ return malloc(size); }}
            struct table tables[] = {{ {tables} }};
            int f(struct table *table, int n) {{ char *p = table->make(8); /* here */
                if (!p) return 1;
                if (n > 7) return 2;
                free(p); return 0; }}"
        )
    };
    conditional(&leak(&c("{ none }, { some }")), "table->make = not NULL");
    confirmed(&leak(&c("{ some }")), &[("n", "8")]);
}

/// The classes of characters are those of the C locale.
#[test]
fn classes_of_characters() {
    let c = |second: &str| {
        format!(
            "const unsigned short **__ctype_b_loc(void);
            int f(const char *text) {{ char *p = malloc(8); /* here */
                if (!p) return -1;
                if (((*__ctype_b_loc())[(int)text[0]] & 0x800) && {second}) return 1;
                free(p); return 0; }}"
        )
    };
    confirmed(&leak(&c("text[0] != '0'")), &[]);
    refuted(&leak(&c("((*__ctype_b_loc())[(int)text[0]] & 0x2000)")));
    refuted(&leak(&c("text[0] == 'a'")));
}

#[test]
fn a_table_at_an_open_index() {
    let c = |number: i32| {
        format!(
            "static const signed char states[] = {{ 3, 3, 3, 5, 5, 7, 3, 3 }};
            int f(unsigned char at) {{ char *p = malloc(8); /* here */
                if (!p) return -1;
                if (at < 8 && states[at] == {number}) return 1;
                free(p); return 0; }}"
        )
    };
    confirmed(&leak(&c(7)), &[("at", "5")]);
    refuted(&leak(&c(4)));
}
