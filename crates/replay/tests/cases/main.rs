//! Small functions whose truth is plain, each run by the replay. The finding is the least that an
//! engine could say: the call on the marked line, in its function, without a path.

mod answers;
mod given;

use caulk_finding::{Confidence, Finding, Harm, Kind, Location, Outcome, Proof, Replay};
use caulk_ir::{Inst, Module};
use caulk_models::Models;
use caulk_replay::Player;

const LIBRARY: &str = "
typedef unsigned long size_t;
typedef struct FILE FILE;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
char *strdup(const char *); size_t strlen(const char *); int strcmp(const char *, const char *);
char *strchr(const char *, int); void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t); int atoi(const char *); int printf(const char *, ...);
FILE *fopen(const char *, const char *); int fclose(FILE *); char *fgets(char *, int, FILE *);
int open(const char *, int, ...); int close(int); char *getenv(const char *); void exit(int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern int odd_call(void *);
#define NULL ((void *)0)
";

const MARK: &str = "/* here */";

/// The first call on the line with a mark, and the function it is in.
fn call_at(module: &Module, text: &str, mark: &str) -> (Location, String) {
    let line = 1 + text.lines().position(|line| line.contains(mark)).expect("a mark") as u32;
    let place = |(_, function, body): (_, &caulk_ir::Function, &caulk_ir::Body)| {
        let calls = body.insts.iter().filter(|(_, inst)| matches!(inst, Inst::Call(_)));
        let span = |id| module.spans.get(body.inst_spans[id]);
        let found = calls.filter_map(|(id, _)| span(id)).find(|span| span.start.line == line)?;
        let name = module.names.text(function.name).to_owned();
        Some((Location::of_span(&found, &module.files)?, name))
    };
    module.bodies().find_map(place).expect("a call on the marked line")
}

fn finding(module: &Module, text: &str, kind: Kind) -> Finding {
    let (primary, function) = call_at(module, text, MARK);
    Finding {
        kind,
        confidence: Confidence::Medium,
        reason: String::new(),
        harm: Harm::PerCall,
        resource: "memory".to_owned(),
        message: String::new(),
        primary,
        path: Vec::new(),
        suggestion: None,
        function,
        engine: "test",
        shared_doubt: caulk_finding::Sharing::Nobody,
        fingerprint: String::new(),
        replay: Replay::default(),
    }
}

fn outcome(kind: Kind, c: &str) -> Outcome {
    let text = format!("{LIBRARY}{c}");
    let module = caulk_testkit::module("case.c", &text);
    let finding = finding(&module, &text, kind);
    Player::new(vec![module], &Models::bundled()).expect("a 64-bit program").outcome(&finding)
}

fn leak(c: &str) -> Outcome {
    outcome(Kind::SomePath, c)
}

#[track_caller]
fn confirmed(outcome: &Outcome, inputs: &[(&str, &str)]) {
    assert_eq!(outcome.proof, Proof::Confirmed, "{}", outcome.why);
    for (name, value) in inputs {
        let is_it = |row: &caulk_finding::Given| row.name == *name && row.value == *value;
        assert!(outcome.inputs.iter().any(is_it), "{name} = {value}: {:?}", outcome.inputs);
    }
}

#[track_caller]
fn refuted(outcome: &Outcome) {
    assert_eq!(outcome.proof, Proof::Refuted, "{}", outcome.why);
}

#[track_caller]
fn not_replayable(outcome: &Outcome, why: &str) {
    assert_eq!(outcome.proof, Proof::NotReplayable, "{outcome:?}");
    assert!(outcome.why.contains(why), "{}", outcome.why);
}

#[test]
fn a_parameter_decides() {
    let c = "int f(int n) { char *p = malloc(8); /* here */
        if (!p) return 1;
        if (n == 1234567) return 2;
        free(p); return 0; }";
    let outcome = leak(c);
    confirmed(&outcome, &[("n", "1234567")]);
    assert_eq!(outcome.stack[0].function, "f");
    assert!(outcome.stack[0].place.starts_with("case.c:"), "{:?}", outcome.stack);
}

#[test]
fn what_is_always_freed_is_refuted() {
    refuted(&leak(
        "int f(int n) { char *p = malloc(8); /* here */
        if (!p) return 1;
        int status = n > 3 ? 2 : 0;
        free(p); return status; }",
    ));
}

#[test]
fn correlated_branches_are_refuted() {
    refuted(&leak(
        "int f(int n) { char *p = NULL;
        if (n > 3) p = malloc(8); /* here */
        if (n > 2) free(p);
        return 0; }",
    ));
    confirmed(
        &leak(
            "int f(int n) { char *p = NULL;
        if (n > 3) p = malloc(8); /* here */
        if (n > 4) free(p);
        return 0; }",
        ),
        &[("n", "4")],
    );
}

#[test]
fn memory_behind_parameters_is_made_when_it_is_read() {
    let c = "struct part { char name[4]; };
        struct node { struct part *part; int kind; };
        int f(struct node *node) {
            char *p = malloc(8); /* here */
            if (!p) return 1;
            if (node->kind == 7 && node->part->name[2] == 'x') return 2;
            free(p); return 0; }";
    confirmed(&leak(c), &[("node->kind", "7"), ("node->part->name[2]", "'x'")]);
}

/// A program may keep its lists such that the last of them is never seen.
#[test]
fn a_loss_that_needs_a_shape_of_memory_is_conditional() {
    let case = |link: &str| {
        leak(&format!(
            "struct node {{ struct node *next; }};
            void link(struct node *node, struct node *next) {{ node->next = {link}; }}
            int f(struct node *list) {{ char *p = malloc(8); /* here */
                if (!p) return 1;
                if (list->next) free(p);
                return 0; }}"
        ))
    };
    let outcome = case("next");
    assert_eq!(outcome.proof, Proof::Conditional, "{outcome:?}");
    assert!(outcome.why.contains("list->next = NULL"), "{}", outcome.why);
    assert_eq!(outcome.stack[0].function, "f");
    confirmed(&case("NULL"), &[("list->next", "NULL")]);
}

#[test]
fn what_is_stored_for_the_caller_is_held() {
    refuted(&leak(
        "struct box { char *p; };
        int f(struct box *box) { box->p = malloc(8); /* here */ return 0; }",
    ));
    refuted(&leak("char *f(void) { return malloc(8); /* here */ }"));
    refuted(&leak("static char *kept; int f(void) { kept = malloc(8); /* here */ return 0; }"));
    refuted(&leak("int f(char **out) { *out = malloc(8); /* here */ return *out == NULL; }"));
}

#[test]
fn an_owner_that_goes_takes_its_parts_along() {
    let c = "struct box { char *text; };
        int f(int n) { struct box *box = malloc(sizeof *box);
            if (!box) return 1;
            box->text = malloc(8); /* here */
            if (!box->text) { free(box); return 1; }
            if (n) free(box->text);
            free(box); return 0; }";
    confirmed(&leak(c), &[("n", "0")]);
}

#[test]
fn the_last_reference_is_overwritten() {
    let c = "int f(int n) { char *p = NULL;
        for (int i = 0; i < n; i++) p = malloc(8); /* here */
        free(p); return 0; }";
    let outcome = leak(c);
    confirmed(&outcome, &[("n", "2")]);
}

#[test]
fn another_allocation_fails() {
    let c = "int f(void) { char *p = malloc(8); /* here */
        if (!p) return 1;
        char *q = malloc(8);
        if (!q) return 1;
        free(q); free(p); return 0; }";
    let outcome = outcome(Kind::SecondFailure, c);
    confirmed(&outcome, &[]);
    assert!(
        outcome.inputs.iter().any(|row| row.name.starts_with("malloc") && row.value == "fails")
    );
}

/// The library that runs along has no lines that a reader knows.
#[test]
fn a_failure_inside_the_library_is_told_by_its_function() {
    let c = "int f(const char *text) { char *p = malloc(8); /* here */
        if (!p) return 1;
        char *q = strdup(text);
        if (!q) return 1;
        free(q); free(p); return 0; }";
    confirmed(&outcome(Kind::SecondFailure, c), &[("malloc in strdup", "fails")]);
}

#[test]
fn callees_run_with_it() {
    let c = "static int parse(const char *text, int *value) {
            if (!text || !*text) return -1;
            *value = *text == '#' ? 0 : 5;
            return *value ? 0 : -2; }
        int f(const char *text) { int value; char *p = malloc(8); /* here */
            if (!p) return 1;
            if (parse(text, &value) == -2) return 2;
            free(p); return 0; }";
    confirmed(&leak(c), &[("text[0]", "'#'")]);
}

#[test]
fn wrappers_make_for_their_callers() {
    let c = "static void *take(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
        int f(int n) { char *p = take(8); /* here */ if (n) free(p); return 0; }";
    confirmed(&leak(c), &[("n", "0")]);
}

#[test]
fn string_functions_run_as_they_are() {
    let c = "int f(const char *name) { char *p = strdup(name); /* here */
        if (!p) return 1;
        if (strcmp(p, \"ab\") == 0) return 2;
        free(p); return 0; }";
    confirmed(&leak(c), &[("name[0]", "'a'"), ("name[1]", "'b'"), ("name[2]", "0")]);
    refuted(&leak(
        "int f(int n) { char *p = strdup(\"ab\"); /* here */
        if (!p) return 1;
        if (strlen(p) != 2 || strchr(p, 'b') != p + 1) return 2;
        free(p); return 0; }",
    ));
}

#[test]
fn realloc_moves_and_may_fail() {
    confirmed(
        &leak(
            "int f(void) { char *p = malloc(8); /* here */
        if (!p) return 1;
        p = realloc(p, 16);
        if (!p) return 1;
        free(p); return 0; }",
        ),
        &[],
    );
    refuted(&leak(
        "int f(void) { char *p = malloc(8); /* here */
        if (!p) return 1;
        char *q = realloc(p, 16);
        if (!q) { free(p); return 1; }
        free(q); return 0; }",
    ));
}

#[test]
fn copies_take_pointers_along() {
    refuted(&leak(
        "struct pair { char *p; int n; };
        int f(struct pair *out) { struct pair pair = { malloc(8), 1 }; /* here */
            memcpy(out, &pair, sizeof pair); return 0; }",
    ));
    confirmed(
        &leak(
            "struct pair { char *p; int n; };
        int f(struct pair *out) { struct pair pair = { malloc(8), 1 }; /* here */
            memcpy(out, &pair, sizeof pair); memset(out, 0, sizeof pair); return 0; }",
        ),
        &[],
    );
}

#[test]
fn files_follow_their_model() {
    let c = "int f(const char *path) { char line[16]; FILE *file = fopen(path, \"r\"); /* here */
        if (!file) return 1;
        while (fgets(line, 16, file)) if (line[0] == 'q') return 2;
        fclose(file); return 0; }";
    confirmed(&leak(c), &[("line[0]", "'q'")]);
}

#[test]
fn bit_fields_and_switches() {
    let c = "struct flags { unsigned a : 3, b : 5; };
        int f(struct flags *flags, unsigned char kind) { char *p = malloc(8); /* here */
            if (!p) return 1;
            switch (kind) {
            case 1: case 2: free(p); return 0;
            case 9: if (flags->b == 17) return 3;
            default: free(p); return 0; } }";
    confirmed(&leak(c), &[("kind", "9")]);
}

#[test]
fn function_pointers_of_the_program_are_called() {
    let c = "static int no(void) { return 0; } static int yes(void) { return 1; }
        static int (*const table[2])(void) = { no, yes };
        int f(unsigned n) { char *p = malloc(8); /* here */
            if (!p || n > 1) { free(p); return 1; }
            if (table[n]()) return 2;
            free(p); return 0; }";
    confirmed(&leak(c), &[("n", "1")]);
}

#[test]
fn double_frees_and_uses_after_release() {
    let twice = "int f(int n) { char *p = malloc(8); /* here */
        if (!p) return 1;
        if (n) free(p);
        free(p); return 0; }";
    let outcome_of = |kind, c| outcome(kind, c);
    let found = outcome_of(Kind::DoubleFree, twice);
    confirmed(&found, &[]);
    assert!(found.inputs.iter().any(|row| row.name == "n" && row.value != "0"));
    let used = "int f(int n) { int *p = malloc(8); /* here */
        if (!p) return 1;
        *p = n; free(p); return *p; }";
    confirmed(&outcome_of(Kind::UseAfterFree, used), &[]);
    let once = "int f(int n) { char *p = malloc(8); /* here */
        if (!p) return 1;
        if (n) { free(p); p = NULL; }
        free(p); return 0; }";
    refuted(&outcome_of(Kind::DoubleFree, once));
    let passed = "int f(void) { char *p = malloc(8); /* here */
        if (!p) return 1;
        free(p); printf(\"%s\", p); return 0; }";
    confirmed(&outcome_of(Kind::UseAfterFree, passed), &[]);
}

#[test]
fn at_exit_what_main_holds_counts() {
    let c = "static char *all; int main(int argc, char **argv) { all = malloc(8); /* here */ return 0; }";
    confirmed(&outcome(Kind::AtExit, c), &[]);
    refuted(&leak(c));
}

#[test]
fn static_storage_of_a_started_program_is_as_initialised() {
    let c = "static int debug = 0;
        void set_debug(int to) { debug = to; }
        int NAME(void) { char *p = malloc(8); /* here */
            if (debug) return 1;
            free(p); return 0; }";
    refuted(&leak(&c.replace("NAME", "main")));
    let outcome = leak(&c.replace("NAME", "f"));
    confirmed(&outcome, &[]);
    assert_eq!(outcome.inputs[0].name, "debug");
}

#[test]
fn static_storage_that_nobody_writes_is_as_initialised() {
    let c = "static int debug = 0;
        int f(void) { char *p = malloc(8); /* here */
            if (debug) return 1;
            free(p); return 0; }";
    refuted(&leak(c));
}

#[test]
fn flags_hold_what_the_program_sets() {
    let case = |flag: &str| {
        leak(&format!(
            "static int mode = 3; static int taken;
            void set(int n) {{ if (n) mode = 5; else mode = 9; }}
            void take(int *p) {{ *p = 4; }}
            void other(void) {{ take(&taken); }}
            int f(void) {{ char *p = malloc(8); /* here */
                if (!p) return 1;
                if ({flag}) return 2;
                free(p); return 0; }}"
        ))
    };
    confirmed(&case("mode == 9"), &[("mode", "9")]);
    confirmed(&case("mode == 3"), &[("mode", "3")]);
    confirmed(&case("taken == 6"), &[("taken", "6")]);
    refuted(&case("mode == 4"));
}

#[test]
fn what_is_left_out_is_told() {
    let called = "int order(const void *, const void *);
        int order(const void *a, const void *b) { return 0; }
        int f(int *table) { char *p = malloc(8); /* here */
            qsort(table, 4, 4, order); free(p); return 0; }";
    not_replayable(&leak(called), "called back");
    let unknown = "int f(void) { char *p = malloc(8); /* here */ odd_call(p); return 0; }";
    not_replayable(&leak(unknown), "nothing is known of");
    let floats = "int f(double x) { char *p = malloc(8); /* here */
        if (x > 1.5) { free(p); return 0; } free(p); return 1; }";
    not_replayable(&leak(floats), "does not follow decides");
}

#[test]
fn a_route_is_kept() {
    let c = "int f(int n) { char *p = malloc(8); /* here */
        if (!p) return 1;
        if (n) { free(p); return 0; }
        return 2; }";
    let text = format!("{LIBRARY}{c}");
    let module = caulk_testkit::module("case.c", &text);
    let mut finding = finding(&module, &text, Kind::SomePath);
    let (_, _, body) = module.bodies().next().expect("one function");
    let returns = body.blocks.iter().filter_map(|(id, block)| match block.terminator {
        caulk_ir::Terminator::Return(Some(value)) => Some((id, body.constant(value)?)),
        _ => None,
    });
    let returns: Vec<_> = returns.collect();
    let of = |wanted| returns.iter().find(|row| row.1 == caulk_ir::Constant::Int(wanted));
    let (Some((freed, _)), Some((lost, _))) = (of(0), of(2)) else { panic!("two returns") };
    let player = Player::new(vec![module.clone()], &Models::bundled()).expect("a program");
    // The branch on `n` comes after the test for NULL.
    let caulk_ir::Terminator::Branch { then, .. } =
        &body.blocks[caulk_ir::BlockId::ENTRY].terminator
    else {
        panic!("a branch")
    };
    finding.replay.route = vec![0, then.to.0, lost.0];
    confirmed(&player.outcome(&finding), &[("n", "0")]);
    // Along the other way it is freed; the run without a route still finds the loss.
    finding.replay.route = vec![0, then.to.0, freed.0];
    confirmed(&player.outcome(&finding), &[("n", "0")]);
}

/// A call makes several objects, and the engine says which it means.
#[test]
fn only_the_object_that_is_meant_counts() {
    let c = "struct pair { char *name; };
        static struct pair *make(void) {
            struct pair *p = malloc(8); /* outer */
            if (!p) return NULL;
            p->name = malloc(4); /* inner */
            return p; }
        int f(void) {
            struct pair *p = make(); /* here */
            free(p); return 0; }";
    let text = format!("{LIBRARY}{c}");
    let played = |mark: &str| {
        let module = caulk_testkit::module("case.c", &text);
        let mut finding = finding(&module, &text, Kind::SomePath);
        finding.replay.made_at = Some(call_at(&module, &text, mark).0);
        Player::new(vec![module], &Models::bundled()).expect("a program").outcome(&finding)
    };
    confirmed(&leak(c), &[]);
    confirmed(&played("/* inner */"), &[]);
    refuted(&played("/* outer */"));
}

#[test]
fn the_prelude_is_made_from_its_source() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("prelude");
    for name in ["strings", "characters"] {
        let read = |end: &str| std::fs::read_to_string(folder.join(name.to_owned() + end));
        let module = caulk_testkit::module(&format!("{name}.c"), &read(".c").expect("the source"));
        assert_eq!(caulk_ir::print::module(&module), read(".ir").expect("the text ir"));
    }
}

/// A descriptor is lost when no memory that outlives the function has its number.
#[test]
fn descriptors_are_followed_by_their_number() {
    let lost = "int f(const char *path, int n) { int d = open(path, 0); /* here */
        if (d < 0) return -1;
        if (n == 3) return 0;
        close(d); return 0; }";
    confirmed(&leak(lost), &[("n", "3")]);
    let kept = "int last; struct box { int d; };
        int f(struct box *box, const char *path, int n) { int d = open(path, 0); /* here */
        if (n == 3) { box->d = d; return 0; }
        if (n == 4) return d;
        if (n == 5) { last = d; return 0; }
        close(d); return 0; }";
    not_replayable(&leak(kept), "the number of a descriptor was chosen");
    let unlikely = "int f(const char *path) { int d = open(path, 0); /* here */
        if (d < 0) return 1;
        if (d == 100) return 2;
        close(d); return 0; }";
    not_replayable(&leak(unlikely), "the number of a descriptor was chosen");
}

#[test]
fn both_ends_of_a_pipe_are_followed() {
    let c = "int pipe(int *); int fork(void);
        int f(void) { int ends[2];
        if (pipe(ends) != 0) /* here */ return 1;
        if (fork() < 0) { close(ends[0]); return 2; }
        close(ends[0]); close(ends[1]); return 0; }";
    confirmed(&leak(c), &[]);
    let whole = c.replace("close(ends[0]); return 2;", "close(ends[0]); close(ends[1]); return 2;");
    not_replayable(&leak(&whole), "the number of a descriptor was chosen");
}

/// Nobody writes the table, whoever reads it: the sum is what it is.
#[test]
fn static_storage_that_is_never_written_stays_as_it_was() {
    let c = "static int table[3] = { 1, 2, 3 };
        static int sum(int *row, int n) { int all = 0;
            for (int i = 0; i < n; i++) all += row[i];
            return all; }
        int f(void) { char *p = malloc(8); /* here */
            if (sum(table, 3) != 6) return 1;
            free(p); return 0; }";
    refuted(&leak(c));
    let written = c.replace("int f(", "void set(int i, int to) { table[i] = to; } int f(");
    confirmed(&leak(&written), &[]);
}

/// The members of such records are told by the program's tables.
#[test]
fn a_function_pointer_in_a_record_points_to_what_the_program_puts_there() {
    let c = "struct kind { int (*read)(char *); };
        static int none(char *p) { return p[0] = 0; }
        const struct kind nothing = { none };
        int f(struct kind *kind) { char *p = malloc(8); /* here */
            if (!p) return 1;
            if (kind->read(p) == 0) return 2;
            free(p); return 0; }";
    confirmed(&leak(c), &[]);
}

/// That a member is not NULL is no shape of memory that the program may never make, if it sets it.
#[test]
fn a_member_that_the_program_sets_may_be_set() {
    let c = "struct box { char *name; };
        int f(struct box *box) { char *p = malloc(8); /* here */
            if (box->name != NULL) return 2;
            free(p); return 0; }";
    assert_eq!(leak(c).proof, Proof::Conditional);
    let set = format!("{c} void set(struct box *box, char *name) {{ box->name = name; }}");
    confirmed(&leak(&set), &[("box->name", "not NULL")]);
}

/// What a structure owns is released before the structure itself.
#[test]
fn a_release_of_what_is_inside_leaves_the_object() {
    let c = "typedef struct { void *inner; } regex_t;
        int regcomp(regex_t *, const char *, int); void regfree(regex_t *);
        int f(const char *text) { regex_t *made = malloc(sizeof *made); /* here */
            if (!made) return 1;
            if (regcomp(made, text, 0) != 0) { free(made); return 2; }
            regfree(made); free(made); return 0; }";
    not_replayable(&outcome(Kind::DoubleFree, c), "inside an object");
}

/// Libraries have a table of functions that fail until the program puts others there.
#[test]
fn a_table_of_functions_holds_what_the_program_puts_there_later() {
    let c = "struct table { void *(*make)(size_t); };
        static void *none(size_t size) { (void)size; return NULL; }
        static void *some(size_t size) { return malloc(size); }
        static struct table table = { none };
        void start(struct table *it) { it->make = some; table = *it; }
        int f(int n) { char *p = table.make(8); /* here */
            if (!p) return 1;
            if (n > 7) return 2;
            free(p); return 0; }";
    confirmed(&leak(c), &[("n", "8")]);
}

#[test]
fn arithmetic_that_tells_of_its_overflow_is_followed() {
    let text = |test: &str| {
        format!(
            "int f(size_t a, int n, int m) {{ char *p = malloc(8); size_t c; int d; /* here */
            if (!p) return 1;
            if ({test}) return 2;
            (void)c; (void)d; free(p); return 0; }}"
        )
    };
    for test in [
        "__builtin_add_overflow(a, (size_t)16, &c)",
        "__builtin_mul_overflow(a, (size_t)24, &c)",
        "__builtin_sub_overflow(n, m, &d) && m == 5",
        "__builtin_add_overflow(n, m, &d) && n < 0",
    ] {
        confirmed(&leak(&text(test)), &[]);
    }
    for test in [
        "a < 100 && __builtin_add_overflow(a, (size_t)16, &c)",
        "a < 100 && __builtin_mul_overflow(a, (size_t)24, &c)",
        "n > 0 && m < 0 && __builtin_add_overflow(n, m, &d)",
        "n > 0 && m > 0 && __builtin_sub_overflow(n, m, &d)",
    ] {
        refuted(&leak(&text(test)));
    }
}

#[test]
fn long_words_are_compared_to_their_end() {
    let c = "int f(const char *word) { char *p = malloc(8); /* here */
        if (!p) return 1;
        if (strcmp(word, \"lengthy-word\") == 0) return 2;
        free(p); return 0; }";
    confirmed(&leak(c), &[("word[11]", "'d'")]);
}

#[test]
fn functions_that_nobody_knows_fill_what_they_are_given() {
    let c = "int odd_size(int *size);
        int f(void) { int size; char *p = malloc(8); /* here */
            if (!p) return 1;
            if (odd_size(&size) == 0 && size == 77) return 2;
            free(p); return 0; }";
    confirmed(&leak(c), &[]);
}

#[test]
fn a_parameter_has_what_the_calls_pass() {
    let c = "static int f(int mode) { char *p = malloc(8); /* here */
            if (!p) return 1;
            if (mode == 3) return 2;
            free(p); return 0; }
        int g(void) { return f(1) + f(2); }";
    refuted(&leak(c));
    let other = format!("{c} int h(void) {{ return f(3); }}");
    confirmed(&leak(&other), &[("mode", "3")]);
    let any = format!("{c} int h(int n) {{ return f(n); }}");
    confirmed(&leak(&any), &[("mode", "3")]);
    let taken = format!("{c} int (*h(void))(int) {{ return f; }}");
    confirmed(&leak(&taken), &[("mode", "3")]);
}

/// `dup` as `dup2`: the caller knows the number.
#[test]
fn a_descriptor_with_the_number_of_an_argument_is_held() {
    let c = "int dup(int);
        int f(int from, int into) { close(into);
            int made = dup(from); /* here */
            if (made != into) { close(made); return 1; }
            return 0; }";
    assert_ne!(outcome(Kind::SomePath, c).proof, Proof::Confirmed);
}

/// Each part has ways to fail, and each failure ends the process: the way to the loss is found by
/// what the dead ends have in common.
#[test]
fn callees_that_have_to_go_well_do() {
    let mut c = String::from("int g(int); int part(const int *all, int at);\n");
    c.push_str("static int check(const int *all, int at) {\n");
    for number in 0..12 {
        c.push_str(&format!("if (all[at + {number}] == {number}) return -{number} - 1;\n"));
    }
    c.push_str(
        "return 0; }
        int f(const int *all) { char *p = malloc(8); /* here */
        if (!p) return 1;\n",
    );
    for number in 0..6 {
        c.push_str(&format!("if (check(all, {}) != 0) exit(1);\n", 20 * number));
    }
    c.push_str("if (all[200] == 5) return 2;\n free(p); return 0; }");
    confirmed(&leak(&c), &[]);
}

/// `fcntl` makes a descriptor for one command, which nobody may ever pass.
#[test]
fn an_effect_that_an_open_argument_asks_for_is_a_condition() {
    let c = "int fcntl(int, int, ...);
        int f(int fd, int command) { int made = fcntl(fd, command, 3); /* here */
            return made < 0; }";
    let outcome = outcome(Kind::SomePath, c);
    assert_eq!(outcome.proof, Proof::Conditional, "{outcome:?}");
    assert!(outcome.why.contains("command = "), "{}", outcome.why);
}
