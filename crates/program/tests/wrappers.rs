//! Allocators and releasers by effect, and their copies.

use caulk_models::Models;
use caulk_program::{
    CopyBudget, DirectCalls, Entries, EntryReason, ExternalModels, IndirectTargets, Instances,
    LinkUnit, ProcId, Program, Wrapper, Wrappers, indirect_targets, link,
};
use caulk_testkit::module;

const LIBRARY: &str = "typedef unsigned long size_t;\n\
    void *malloc(size_t); void *realloc(void *, size_t); void free(void *);\n\
    char *strdup(const char *); int asprintf(char **, const char *, ...);\n\
    struct s { char *name; struct s *next; };\n";

struct Analysed {
    program: Program,
    calls: DirectCalls,
    indirect: IndirectTargets,
    wrappers: Wrappers,
}

fn analyse(text: &str) -> Analysed {
    let module = module("case.c", &format!("{LIBRARY}{text}"));
    let program = link(vec![LinkUnit { module, target: None }]);
    let calls = DirectCalls::new(&program);
    let externals = ExternalModels::new(&program, &Models::bundled());
    let indirect = indirect_targets(&program);
    let wrappers = Wrappers::new(&program, &calls, &externals, &indirect);
    Analysed { program, calls, indirect, wrappers }
}

impl Analysed {
    fn proc(&self, name: &str) -> ProcId {
        self.program.procs.iter().find(|(_, row)| row.name == name).unwrap().0
    }

    fn wrapper(&self, name: &str) -> Wrapper {
        *self.wrappers.of(self.proc(name))
    }

    fn instances(&self, budget: CopyBudget) -> (Instances, Entries) {
        let mut entries = Entries::new(&self.program, &self.calls);
        let instances = Instances::new(
            &self.program,
            &self.calls,
            &self.indirect,
            &self.wrappers,
            &mut entries,
            budget,
        );
        (instances, entries)
    }
}

#[test]
fn a_fresh_result_is_found_through_any_number_of_calls() {
    let facts = analyse(
        "void *xmalloc(size_t n) { void *p = malloc(n); if (!p) return 0; return p; }\n\
         char *copy(const char *s) { char *p = xmalloc(9); return p + 0; }\n\
         int count(const char *s) { char *p = xmalloc(9); free(p); return 1; }\n",
    );
    assert!(facts.wrapper("xmalloc").returns_fresh);
    assert!(facts.wrapper("copy").returns_fresh);
    assert!(!facts.wrapper("count").allocates());
}

#[test]
fn out_parameters_and_members_are_found() {
    let facts = analyse(
        "int open_it(struct s **out) { struct s *p = malloc(sizeof *p); *out = p; return 0; }\n\
         int name_it(struct s *p) { p->name = strdup(\"x\"); return 0; }\n\
         int print_it(char **out) { return asprintf(out, \"x\"); }\n\
         struct s *make(void) { struct s *p; open_it(&p); p->name = strdup(\"x\"); return p; }\n",
    );
    assert_eq!(facts.wrapper("open_it").stores_fresh, 1);
    assert_eq!(facts.wrapper("name_it").stores_fresh, 1);
    assert_eq!(facts.wrapper("print_it").stores_fresh, 1);
    assert!(facts.wrapper("make").returns_fresh);
    assert!(facts.wrapper("make").builds_members);
}

#[test]
fn releasers_and_reallocators_are_found() {
    let facts = analyse(
        "void drop(int n, void *p) { if (n) free(p); }\n\
         void drop_s(struct s *p) { drop(1, p->name); drop(1, p); }\n\
         void *grow(void *p, size_t n) { return realloc(p, n); }\n\
         void harmless(struct s *p) { p->next = 0; }\n",
    );
    assert_eq!(facts.wrapper("drop").frees, 2);
    assert_eq!(facts.wrapper("drop_s").frees, 1);
    assert_eq!(facts.wrapper("drop_s").frees_inside, 1);
    assert_eq!(facts.wrapper("grow").reallocates, 1);
    assert!(facts.wrapper("grow").returns_fresh);
    assert!(!facts.wrapper("harmless").releases());
}

#[test]
fn recursion_is_summarised() {
    let facts = analyse(
        "void free_list(struct s *p) { if (!p) return; free_list(p->next); free(p); }\n\
         struct s *build(int n) {\n\
           if (n == 0) return 0;\n\
           struct s *p = malloc(sizeof *p); p->next = build(n - 1); return p; }\n",
    );
    assert_eq!(facts.wrapper("free_list").frees, 1);
    assert_eq!(facts.wrapper("free_list").frees_inside, 1);
    assert!(facts.wrapper("build").returns_fresh);
}

const TWO_CALLS: &str = "struct s *inner(char *n) { \
      struct s *p = malloc(sizeof *p); p->name = n; return p; }\n\
    struct s *outer(char *n) { return inner(n); }\n\
    void once(void) { free(malloc(2)); }\n\
    int main(void) { free(outer(0)); free(outer(0)); once(); return 0; }\n";

#[test]
fn each_call_of_an_allocator_has_a_copy_of_its_own() {
    let facts = analyse(TWO_CALLS);
    let (instances, entries) =
        facts.instances(CopyBudget { percent: 1000, ..CopyBudget::default() });
    let copies: Vec<(String, usize)> = instances
        .rows
        .iter()
        .filter(|(_, row)| row.made_for.is_some())
        .map(|(id, row)| (facts.program.procs[row.proc].name.clone(), instances.chain(id).len()))
        .collect();
    let row = |name: &str, depth| (name.to_string(), depth);
    assert_eq!(copies, [row("outer", 1), row("outer", 1), row("inner", 2), row("inner", 2)]);
    assert_eq!(entries.reason(facts.proc("outer")), Some(EntryReason::Copied));
    assert_eq!(instances.merged, 0);
}

#[test]
fn past_the_budget_calls_share_the_base_and_are_counted() {
    let facts = analyse(TWO_CALLS);
    let (instances, _) =
        facts.instances(CopyBudget { percent: 0, least: 0, ..CopyBudget::default() });
    assert_eq!(instances.rows.len(), facts.program.procs.len());
    assert_eq!(instances.merged, 2);
}

#[test]
fn small_allocators_are_copied_before_large_ones() {
    let facts = analyse(
        "struct s *large(char *n) {\n\
           struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q);\n\
           p->name = n; p->next = q; q->name = n; q->next = 0; return p; }\n\
         struct s *small(char *n) { struct s *p = malloc(9); p->name = n; return p; }\n\
         int main(void) { free(large(0)); free(large(0)); free(small(0)); free(small(0)); }\n",
    );
    let (instances, _) =
        facts.instances(CopyBudget { percent: 70, least: 0, ..CopyBudget::default() });
    let copied = |name| {
        let proc = facts.proc(name);
        instances.rows.rows().iter().filter(|row| row.proc == proc).count() - 1
    };
    assert_eq!((copied("small"), copied("large")), (2, 0));
    assert_eq!(instances.merged, 2);
}

#[test]
fn allocators_behind_tables_and_hooks_are_found() {
    let facts = analyse(
        "struct methods { void *(*make)(size_t); void (*drop)(void *); };\n\
         static void *make(size_t n) { return malloc(n); }\n\
         static const struct methods defaults = { make, free };\n\
         static struct { int level; struct methods m; } config;\n\
         void *(*hook)(size_t) = malloc;\n\
         void start(void) { config.m = defaults; }\n\
         void *get(size_t n) { return config.m.make(n); }\n\
         void put(void *p) { config.m.drop(p); }\n\
         void *hooked(size_t n) { return hook(n); }\n\
         int main(void) { start(); put(get(1)); put(get(2)); free(hooked(3)); return 0; }\n",
    );
    assert!(facts.wrapper("get").returns_fresh);
    assert!(facts.wrapper("hooked").returns_fresh);
    assert_eq!(facts.wrapper("put").frees, 1);
    let (instances, _) = facts.instances(CopyBudget { percent: 1000, ..CopyBudget::default() });
    let copies = |name| {
        let proc = facts.proc(name);
        instances
            .rows
            .rows()
            .iter()
            .filter(|row| row.proc == proc && row.made_for.is_some())
            .count()
    };
    // Plain allocators: their calls are allocation sites, which need no copies.
    assert!(facts.wrapper("get").is_plain_allocator());
    assert_eq!(copies("get"), 0);
}

#[test]
fn a_plain_allocator_gives_its_result_to_nobody_else() {
    let facts = analyse(
        "static struct s *all;\n\
         void *memcpy(void *, const void *, size_t); char *strcpy(char *, const char *);\n\
         void unknown(void *);\n\
         char *copy(const char *s) { return strcpy(malloc(9), s); }\n\
         void *duplicate(const void *p, size_t n) { return memcpy(malloc(n), p, n); }\n\
         static void link(struct s *p) { p->next = all; all = p; }\n\
         struct s *linked(void) { struct s *p = malloc(sizeof *p); link(p); return p; }\n\
         struct s *named(char *n) { struct s *p = malloc(sizeof *p); p->name = n; return p; }\n\
         struct s *empty(void) { struct s *p = malloc(sizeof *p); p->name = 0; return p; }\n\
         void *told(void) { void *p = malloc(1); unknown(p); return p; }\n\
         void *grown(void *p, size_t n) { return realloc(p, n); }\n\
         void *complaining(struct s *db, size_t n) { void *p = malloc(n); \
           if (!p) db->name = strdup(\"no memory\"); return p; }\n",
    );
    let plain = |name| facts.wrapper(name).is_plain_allocator();
    assert!(plain("copy"));
    assert!(plain("empty"));
    assert!(!plain("duplicate"), "its contents come from elsewhere");
    assert!(!plain("linked"), "a list holds it too");
    assert!(!plain("named"), "it has a member");
    assert!(!plain("told"), "an unknown function may hold it");
    assert!(!plain("grown"), "it holds what the old block held");
    assert!(plain("complaining"), "the text of the error is another object");
}

#[test]
fn a_copy_is_made_for_a_call_that_has_memory_of_its_own() {
    let facts = analyse(
        "static void fill(struct s *p) { p->name = strdup(\"x\"); }\n\
         void passed_on(struct s *p) { fill(p); }\n\
         void local(void) { struct s mine; fill(&mine); free(mine.name); }\n",
    );
    let (instances, _) = facts.instances(CopyBudget { percent: 1000, ..CopyBudget::default() });
    let makers: Vec<&str> = instances
        .rows
        .rows()
        .iter()
        .filter_map(|row| row.made_for)
        .map(|(caller, _)| facts.program.procs[instances.proc(caller)].name.as_str())
        .collect();
    assert_eq!(makers, ["local"]);
}
