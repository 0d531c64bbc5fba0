//! The binary on cases of the suites: it reports on the lines that their comments name, and on no
//! other. `use_flow/tests/suites.rs` tells what the comments mean.

mod common;

use std::collections::BTreeSet;

use caulk_testkit::suite::{Case, cases};
use common::Folder;

/// The files of `suites/use_flow` that are run: a process for each case takes its time.
const FILES: [&str; 3] = ["cleanup", "realloc", "smoke_paper"];
const KINDS: [&str; 5] =
    ["leak:", "double-free", "use-after-free", "mismatched-release", "invalid-release"];

type Lines = BTreeSet<(String, usize)>;

/// Whether something is reported at an expectation, be that right or a known mistake.
fn is_reported(expectation: &str) -> bool {
    let is_finding = KINDS.iter().any(|kind| expectation.starts_with(kind));
    let is_mistake = ["FP(smoke)", "LOW(smoke)"].iter().any(|mark| expectation.contains(mark));
    is_mistake || is_finding && !expectation.contains("FN(smoke)")
}

fn expected(case: &Case) -> Lines {
    let mut lines = Lines::new();
    for (file, text) in &case.files {
        for (line, text) in (1..).zip(text.lines()) {
            let Some((_, comment)) = text.split_once("// ") else { continue };
            if comment.split(';').any(|part| is_reported(part.trim())) {
                lines.insert((file.clone(), line));
            }
        }
    }
    lines
}

fn found(case: &Case, folder: Folder) -> Lines {
    let write = |folder: Folder, (name, text): &(String, String)| folder.file(name, text);
    let folder = case.files.iter().fold(folder, write);
    let options = ["check", "--no-cache", "--engine", "smoke", "--show", "all", "--format", "gcc"];
    let sources = case.files.iter().map(|(name, _)| name.as_str());
    let args: Vec<&str> =
        options.into_iter().chain(sources.filter(|name| name.ends_with(".c"))).collect();
    let ran = folder.run(&args);
    assert!(matches!(ran.code, Some(0 | 1)), "{}: {}\n{}", case.title, ran.out, ran.err);
    ran.out.lines().filter_map(place).collect()
}

/// The place of `FILE:LINE:COLUMN: warning: …`.
fn place(text: &str) -> Option<(String, usize)> {
    let mut parts = text.split(" warning: ").next().filter(|head| *head != text)?.split(':');
    Some((parts.next()?.to_owned(), parts.next()?.parse().ok()?))
}

#[test]
fn the_binary_reports_what_the_suites_expect() {
    let mut count = 0;
    for (at, (file, case)) in cases("use_flow").into_iter().enumerate() {
        if FILES.contains(&file.as_str()) {
            let found = found(&case, Folder::new(&format!("suite_case_{at}")));
            assert_eq!(found, expected(&case), "{file}.md, {}", case.title);
            count += found.len();
        }
    }
    assert!(count > 40, "{count} lines with findings");
}
