//! Builders and destroyers, each with its verdict: `suites/symbolic_heap/*.md`.
//!
//! A case has a function `f(int n)`. On the line of an allocation a comment says what the engine
//! tells of it, `// leaks when n >= 2: every cell but the last`, several parted by `;`, or `// ok`.
//! Besides, the symbolic result is put to the test for n = 0…8: the records that it says are lost
//! must be those that a run of the function loses, line by line. A case whose title ends in
//! "(not decided)" is one that the engine is known not to decide: it must say so by itself.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::common::{ByLine, inputs, leaked_by_line, run_main, with_analysis};
use caulk_symbolic_heap::Options;
use caulk_symbolic_heap::leaks::Leak;
use caulk_testkit::suite::{Case, cases};

const AT_LEAST: usize = 30;
const LARGEST: i128 = 8;

/// What the engine says: texts by line, and lost records for each n.
struct Told {
    texts: Vec<(u32, String)>,
    lost: Vec<Option<ByLine>>,
    stop: Option<&'static str>,
    approximate: bool,
}

#[test]
fn every_shape_is_decided_as_it_runs() {
    let only = std::env::var("CAULK_CASE").unwrap_or_default();
    let all = cases("symbolic_heap");
    let mut failures = String::new();
    for (file, case) in all.iter().filter(|(_, case)| case.title.contains(&only)) {
        let wrong = judge(case);
        if !wrong.is_empty() {
            let _ = writeln!(failures, "{file}.md: {}\n{wrong}", case.title);
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(all.len() >= AT_LEAST, "only {} cases", all.len());
}

fn judge(case: &Case) -> String {
    let c = &case.files[0].1;
    let told = tell(c);
    let mut wrong = String::new();
    let open = told.stop.is_some() || told.approximate || told.lost.iter().any(Option::is_none);
    if case.title.ends_with("(not decided)") {
        if !open {
            wrong.push_str("  it is decided now: change the title\n");
        }
        return wrong;
    }
    if open {
        let _ = writeln!(wrong, "  not decided: {:?}", told.stop);
    }
    compare_texts(c, &told, &mut wrong);
    for (n, lost) in told.lost.iter().enumerate() {
        let Some(lost) = lost else { continue };
        let ran = leaked_by_line(&run_main(&with_main(c, n)));
        if ran != *lost {
            let _ = writeln!(wrong, "  n = {n}: a run loses {ran:?}, the engine says {lost:?}");
        }
    }
    wrong
}

fn compare_texts(c: &str, told: &Told, wrong: &mut String) {
    for (line, text) in (1..).zip(c.lines()) {
        let Some((_, comment)) = text.split_once("// ") else { continue };
        let mut expected: Vec<&str> = comment.split("; ").map(str::trim).collect();
        expected.retain(|&it| it != "ok");
        let mut actual: Vec<&str> =
            told.texts.iter().filter(|it| it.0 == line).map(|it| it.1.as_str()).collect();
        expected.sort_unstable();
        actual.sort_unstable();
        if expected != actual {
            let _ = writeln!(wrong, "  line {line}: expected {expected:?}, told {actual:?}");
        }
    }
    for (line, text) in &told.texts {
        let has_comment = c.lines().nth(*line as usize - 1).is_some_and(|it| it.contains("// "));
        if !has_comment {
            let _ = writeln!(wrong, "  line {line}: nobody expects `{text}`");
        }
    }
}

fn tell(c: &str) -> Told {
    with_analysis(c, "f", &Options::default(), |evaluator, analysis| {
        let input = inputs(evaluator);
        let line_of = |it: &&Leak| evaluator.line(evaluator.sites[it.site].at).unwrap_or(0);
        let mut by_line: BTreeMap<u32, Vec<&Leak>> = BTreeMap::new();
        for leak in &analysis.leaks {
            by_line.entry(line_of(&leak)).or_default().push(leak);
        }
        let mut texts = Vec::new();
        for (line, leaks) in by_line {
            texts.extend(evaluator.leak_texts(&leaks).into_iter().map(|text| (line, text)));
        }
        let mut lost = Vec::new();
        for n in 0..=LARGEST {
            let mut records = Some(std::collections::BTreeSet::new());
            for leak in &analysis.leaks {
                let line = evaluator.line(evaluator.sites[leak.site].at).unwrap_or(0);
                match evaluator.lost_with(leak, &[(input[0], n)], 64) {
                    Some(turns) => {
                        let rows = turns.into_iter().map(|turns| (line, leak.site, turns));
                        records.iter_mut().for_each(|all| all.extend(rows.clone()));
                    }
                    None => records = None,
                }
            }
            lost.push(records.map(|records| {
                let mut lines = ByLine::new();
                records.iter().for_each(|it| *lines.entry(it.0).or_default() += 1);
                lines
            }));
        }
        let approximate = analysis.unclear
            || analysis.exits.iter().any(|it| it.context.approximate.is_some())
            || analysis.leaks.iter().any(|it| it.approximate.is_some());
        Told { texts, lost, stop: analysis.stop.as_ref().map(|it| it.reason()), approximate }
    })
}

/// The text with a `main` that keeps what the function returns.
fn with_main(c: &str, n: usize) -> String {
    let call = if c.contains("void f(int n)") {
        format!("f({n});")
    } else {
        format!("kept = (void *)f({n});")
    };
    format!("{c}\nvoid *kept;\nint main(void) {{ {call} return 0; }}\n")
}
