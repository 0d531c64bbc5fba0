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

fn cut_short(verdicts: &Verdicts) -> u64 {
    let rows = verdicts.statistics.iter().flat_map(|section| &section.rows);
    let is_it = |row: &&(&str, u64)| row.0 == "summaries out of budget";
    rows.into_iter().find(is_it).expect("the row").1
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
