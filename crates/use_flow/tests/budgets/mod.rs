//! A search that is cut short says less, and nothing that is wrong.

use caulk_finding::{Kind, Verdicts};
use caulk_models::Models;
use caulk_testkit::suite::Case;
use caulk_use_flow::Options;

use crate::verdicts::verdicts;

/// Large blocks are mappings, which `free` does not take back.
const ALLOCATOR: &str = "
void *malloc(unsigned long);
void free(void *);
void *mmap(void *, unsigned long, int, int, int, long);
struct pool { unsigned long used, limit, sizes[8]; };
void *get(struct pool *pool, unsigned long size) {
    if (size <= 65536) {
        for (int i = 0; i < 8; i++)
            if (pool->sizes[i] > size)
                pool->used += pool->sizes[i];
        if (pool->used > pool->limit)
            return 0;
        return malloc(size);
    }
    return mmap(0, size, 3, 34, -1, 0);
}
void user(struct pool *pool, unsigned long size) {
    char *text = get(pool, size);
    if (!text)
        return;
    text[0] = 0;
    free(text);
}
";

fn is_told(verdicts: &Verdicts) -> bool {
    verdicts.findings.iter().any(|it| it.kind == Kind::MismatchedRelease)
}

fn statistic(verdicts: &Verdicts, name: &str) -> u64 {
    let mut rows = verdicts.statistics.iter().flat_map(|section| &section.rows);
    rows.find(|row| row.0 == name).expect("the row").1
}

fn cut_short(verdicts: &Verdicts) -> u64 {
    statistic(verdicts, "summaries out of budget")
}

#[test]
fn what_a_function_makes_is_unsure_where_it_was_not_followed_in_full() {
    let files = vec![(String::from("a.c"), String::from(ALLOCATOR))];
    let case = Case { title: String::new(), files, snapshots: Vec::new() };
    let models = Models::bundled();
    assert!(is_told(&verdicts(&case, &models, &Options::default())));
    let said =
        |summary_terms| verdicts(&case, &models, &Options { summary_terms, ..Options::default() });
    let cut: Vec<Verdicts> = (1..120).map(said).filter(|it| cut_short(it) > 0).collect();
    assert!(!cut.is_empty());
    assert!(!cut.iter().any(is_told));
}

/// What `finish` does takes more terms than the test leaves to functions that one call enters.
const CONSUMER: &str = "
void *malloc(unsigned long);
void free(void *);
struct pool { unsigned long used, limit, sizes[8]; };
static void finish(struct pool *pool, char *text) {
    for (int i = 0; i < 8; i++)
        if (pool->sizes[i] > pool->limit)
            pool->used += pool->sizes[i];
    free(text);
}
void one(struct pool *pool) {
    finish(pool, malloc(8));
}
";

const SECOND_CALL: &str = "
void two(struct pool *pool) {
    finish(pool, malloc(16));
}
";

const CALL_BY_POINTER: &str = "
static void (*end)(struct pool *, char *) = finish;
void set(void (*to)(struct pool *, char *)) {
    end = to;
}
void two(struct pool *pool) {
    end(pool, malloc(16));
}
";

const MAKER: &str = "
void *malloc(unsigned long);
void free(void *);
struct pool { unsigned long used, limit, sizes[8]; };
static char *start(struct pool *pool) {
    for (int i = 0; i < 8; i++)
        if (pool->sizes[i] > pool->limit)
            pool->used += pool->sizes[i];
    return malloc(pool->used);
}
void one(struct pool *pool) {
    free(start(pool));
}
";

pub fn of_text(text: String, options: &Options) -> Verdicts {
    let files = vec![(String::from("a.c"), text)];
    let case = Case { title: String::new(), files, snapshots: Vec::new() };
    verdicts(&case, &Models::bundled(), options)
}

#[test]
fn what_one_call_enters_has_less_room_unless_it_returns_what_it_makes() {
    let options = Options { rare_terms: 4, ..Options::default() };
    let cut = |text: &str| cut_short(&of_text(String::from(text), &options));
    assert!(cut(CONSUMER) > 0);
    assert_eq!(cut(&[CONSUMER, SECOND_CALL].concat()), 0);
    assert_eq!(cut(&[CONSUMER, CALL_BY_POINTER].concat()), 0);
    assert_eq!(cut(MAKER), 0);
}

#[test]
fn after_four_searches_that_were_cut_short_none_follows_and_that_is_told() {
    let object = |number: usize| {
        format!("char *p{number} = malloc({number}); if (take(p{number})) free(p{number});\n")
    };
    let objects: String = (1..9).map(object).collect();
    let head = "void *malloc(unsigned long); void free(void *); int take(const char *);\n";
    let text = format!("{head}void many(void) {{\n{objects}}}\n");
    let verdicts = of_text(text, &Options { terms: 16, ..Options::default() });
    let told = |why: &str| verdicts.incomplete.iter().filter(|it| it.why.contains(why)).count();
    assert_eq!(told("the search for candidates used up its budget"), 4);
    assert_eq!(told("other searches in the function were cut short before"), 4);
}

#[test]
fn paths_with_decisions_that_the_solver_refuted_together_are_skipped() {
    let text = "void *malloc(unsigned long); void free(void *); int work(void);
void one(unsigned x, int a, int b, int c, int d) {
    char *text = malloc(8);
    if (!text)
        return;
    if (a) work();
    if (b) work();
    if (c) work();
    if (d) work();
    if (x * (x + 1) & 1)
        return;
    free(text);
}
";
    let verdicts = of_text(String::from(text), &Options::default());
    assert!(verdicts.findings.is_empty());
    assert_eq!(statistic(&verdicts, "conditions given to the solver"), 1);
    assert_eq!(statistic(&verdicts, "conditions that it refuted"), 1);
}

/// `twice` and `sum` are nothing to `main`, and `half` is a callee of its own.
const BESIDES: &str = "
void *malloc(unsigned long);
void free(void *);
static int half(int x) { return x / 2; }
static int twice(int x) { return half(x) * 4; }
int sum(int x) { return twice(x) + half(x); }
static unsigned long size(int x) { return half(x) + 8ul; }
int main(void) {
    char *text = malloc(size(3));
    free(text);
    return 0;
}
";

#[test]
fn what_nobody_calls_who_has_objects_is_not_summarised() {
    let summarised = |text: &str| {
        let verdicts = of_text(String::from(text), &Options::default());
        statistic(&verdicts, "functions summarised")
    };
    // `half`, `size`, and `main`, which makes something.
    assert_eq!(summarised(BESIDES), 3);
    let pointer = "int (*chosen)(int) = twice;\n";
    assert_eq!(summarised(&[BESIDES, pointer].concat()), 4);
}
