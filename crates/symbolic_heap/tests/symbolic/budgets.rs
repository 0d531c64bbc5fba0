//! Past its budget a function is given up, and what it made may leak (Y6); outside the fragment it is, with
//! the reason.

use crate::common::verdicts;
use caulk_finding::Confidence;
use caulk_symbolic_heap::Options;

const TEXT: &str = "void *malloc(unsigned long);\nvoid free(void *);\n\
    void f(int n) {\n char *p = malloc(8);\n for (int i = 0; i < n; i++) n -= i;\n if (n) free(p); }\n";

#[test]
fn what_is_past_the_budget_may_leak() {
    let options = Options { work: 40, ..Options::default() };
    let told = verdicts(TEXT, &options);
    let [finding] = &told.findings[..] else { panic!("{:?}", told.findings) };
    assert_eq!(finding.confidence, Confidence::Low);
    assert_eq!(finding.message, "memory from `malloc` may leak");
    assert_eq!(finding.reason, "may leak: the budget of a function was used up");
    assert!(told.incomplete[0].why.contains("the budget of a function was used up"));
}

#[test]
fn whoever_wants_decisions_only_hears_nothing_of_it() {
    let options = Options { work: 40, tells_undecided: false, ..Options::default() };
    assert!(verdicts(TEXT, &options).findings.is_empty());
}

#[test]
fn within_the_budget_the_condition_is_told() {
    let told = verdicts(TEXT, &Options::default());
    assert!(told.findings.iter().all(|it| it.message != "memory from `malloc` may leak"));
}

#[test]
fn outside_the_fragment_the_reason_is_told() {
    let start = "void *malloc(unsigned long);\nvoid free(void *);\n";
    let cases = [
        (
            "void f(int n) { void *to[] = {&&a, &&b}; char *p = malloc(8); goto *to[n]; a: free(p); b:; }",
            "a computed goto",
        ),
        (
            "void f(int n) { char *p = malloc(8); if (n) goto in; do { n--; in: n--; } while (n > 0); free(p); }",
            "entered at several places",
        ),
    ];
    for (body, reason) in cases {
        let told = verdicts(&format!("{start}{body}"), &Options::default());
        let [row] = &told.incomplete[..] else { panic!("{body}: {:?}", told.incomplete) };
        assert!(row.why.contains(reason), "{body}: {}", row.why);
    }
}
