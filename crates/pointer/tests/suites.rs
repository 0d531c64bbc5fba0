//! Points-to, case by case: `suites/pointer/*.md` holds prose, a C block, and what points where.
//!
//! `CAULK_BLESS=1 cargo test -p caulk-pointer` writes the points-to blocks anew; read the
//! difference. Both solvers must give every snapshot.

mod common;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use caulk_pointer::{Options, inclusion, naive, print};

struct Case<'a> {
    title: &'a str,
    c: &'a str,
    points_to: &'a str,
}

#[test]
fn every_case_points_as_its_snapshot_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/pointer");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut failures = String::new();
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "md")) {
        count += check_file(file, &mut failures);
    }
    assert!(count >= 20, "only {count} cases were found in {}", folder.display());
    assert!(failures.is_empty(), "{failures}");
}

fn check_file(file: &Path, failures: &mut String) -> usize {
    let text = std::fs::read_to_string(file).unwrap();
    let mut blessed = text.clone();
    let cases = cases(&text);
    for case in &cases {
        let actual = solve(case.title, case.c);
        if actual != case.points_to {
            let name = file.file_name().unwrap().to_string_lossy();
            let (title, expected) = (case.title, case.points_to);
            let _ = writeln!(failures, "{name}: {title}\nexpected:\n{expected}\nactual:\n{actual}");
            blessed = blessed.replacen(
                &format!("{}```\n\n```points-to\n{expected}```", case.c),
                &format!("{}```\n\n```points-to\n{actual}```", case.c),
                1,
            );
        }
    }
    if std::env::var_os("CAULK_BLESS").is_some() {
        std::fs::write(file, blessed).unwrap();
        failures.clear();
    }
    cases.len()
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let sections = text.split("\n## ").skip(1);
    sections
        .map(|section| {
            let title = section.lines().next().unwrap_or_default();
            let c = block(section, "```c\n").unwrap_or_else(|| panic!("{title}: no C block"));
            let points_to = block(section, "```points-to\n")
                .unwrap_or_else(|| panic!("{title}: no points-to block"));
            Case { title, c, points_to }
        })
        .collect()
}

fn block<'a>(section: &'a str, fence: &str) -> Option<&'a str> {
    let (_, rest) = section.split_once(fence)?;
    rest.split_once("```").map(|(inside, _)| inside)
}

fn solve(title: &str, c: &str) -> String {
    let facts = common::Facts::of_c(c);
    let options = Options::default();
    let fast = print(facts.input(), &inclusion(facts.input(), &options), None);
    let slow = print(facts.input(), &naive(facts.input(), &options), None);
    assert_eq!(fast, slow, "{title}: the solvers differ");
    fast
}
