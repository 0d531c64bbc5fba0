//! A search that is cut short says less, and nothing that is wrong.

use caulk_finding::{Kind, Verdicts};
use caulk_machines::Machines;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_testkit::suite::Case;
use caulk_use_flow::{Input, Options, check};

/// Large blocks are mappings, small ones are not; `free` takes back both.
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

fn verdicts(case: &Case, options: &Options) -> Verdicts {
    let unit = |module| LinkUnit { module, target: None };
    let program = link(case.modules().into_iter().map(unit).collect());
    let externals = ExternalModels::new(&program, &Models::bundled());
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        machines: &Machines::bundled(),
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
    };
    check(input, options)
}

fn is_told(verdicts: &Verdicts) -> bool {
    verdicts.findings.iter().any(|it| it.kind == Kind::MismatchedRelease)
}

fn cut_short(verdicts: &Verdicts) -> u64 {
    let rows = verdicts.statistics.iter().flat_map(|section| &section.rows);
    let is_it = |row: &&(&str, u64)| row.0 == "summaries out of budget";
    rows.into_iter().find(is_it).expect("the row").1
}

fn case(text: &str) -> Case {
    let files = vec![(String::from("a.c"), String::from(text))];
    Case { title: String::new(), files, snapshots: Vec::new() }
}

/// What is said where the summary of a function is cut short, at one point after another.
fn cut(case: &Case) -> Vec<Verdicts> {
    let cut = |summary_terms| verdicts(case, &Options { summary_terms, ..Options::default() });
    let cut: Vec<Verdicts> = (1..120).map(cut).filter(|it| cut_short(it) > 0).collect();
    assert!(!cut.is_empty());
    cut
}

#[test]
fn what_a_function_makes_is_unsure_where_it_was_not_followed_in_full() {
    let case = case(ALLOCATOR);
    assert!(is_told(&verdicts(&case, &Options::default())));
    assert!(!cut(&case).iter().any(is_told));
}
