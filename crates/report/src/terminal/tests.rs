//! Whole findings, as they are printed.

use std::path::Path;

use caulk_finding::{Finding, Harm, Location, Point, Role};

use super::*;
use crate::sample::{leak, range, source, step};
use crate::{Style, Texts};

fn shown(finding: Finding, style: Style) -> String {
    let results = Results { findings: vec![finding], ..Results::default() };
    let texts = Texts::new(&source);
    findings(&results, &View { style, texts: &texts, links: None })
}

#[track_caller]
fn check(finding: Finding, expected: &str) {
    let shown = shown(finding, Style::default());
    assert!(shown == expected, "found:\n{shown}\nexpected:\n{expected}");
}

#[test]
fn a_finding_reads_like_a_compilers() {
    check(
        leak(),
        "\
list.c:5:15: a resource is lost on some path [leak/some-path] (high)
    memory of `strdup` is lost when the list is full
  |
5 |         char *copy = strdup (name);
  |                      ^^^^^^^^^^^^^ (1) memory is allocated
6 |         if (copy == NULL)
  |             ~~~~~~~~~~~~ (2) `copy` is not NULL
7 |                 return -1;
8 |         if (list->full)
  |             ~~~~~~~~~~ (3) the condition is true
9 |                 return -2;
  |                 ^^^^^^^^^^ (4) `copy`, the last reference, goes out of scope
  = help: release it before line 9
  +                 free (copy);
9 |                 return -2;
  = high confidence: every function on the way is known

",
    );
}

#[test]
fn steps_back_and_into_other_files_have_headings() {
    let mut finding = leak();
    finding.suggestion = None;
    finding.path[1].location = range("other.c", 120, 3, 9);
    finding.path[2].location.in_macro = Some(("list.h".into(), Point { line: 2, column: 7 }));
    finding.path.swap(2, 3);
    finding.harm = Harm::PerIteration;
    check(
        finding,
        "\
list.c:5:15: a resource is lost on some path [leak/some-path] (high)
      memory of `strdup` is lost when the list is full
    |
  5 |         char *copy = strdup (name);
    |                      ^^^^^^^^^^^^^ (1) memory is allocated
      other.c:120:3: (2) `copy` is not NULL
   --> list.c:9:3
    |
  9 |                 return -2;
    |                 ^^^^^^^^^^ (3) `copy`, the last reference, goes out of scope
   --> list.c:8:6
    |
  8 |         if (list->full)
    |             ~~~~~~~~~~ (4) the condition is true
    |     in a macro, spelled at list.h:2:7
    = high confidence: every function on the way is known
    = again in every turn of a loop

",
    );
}

#[test]
fn without_the_source_all_positions_are_told() {
    let mut finding = leak();
    finding.path.truncate(2);
    let suggestion = finding.suggestion.as_mut().unwrap();
    suggestion.location = range("gone.c", 9, 3, 4);
    for place in
        [&mut finding.primary].into_iter().chain(finding.path.iter_mut().map(|s| &mut s.location))
    {
        place.path = "gone.c".into();
    }
    check(
        finding,
        "\
gone.c:5:15: a resource is lost on some path [leak/some-path] (high)
    memory of `strdup` is lost when the list is full
    gone.c:5:15: (1) memory is allocated
    gone.c:6:6: (2) `copy` is not NULL
  = help: release it before line 9
  + free (copy);
  = high confidence: every function on the way is known

",
    );
}

#[test]
fn long_paths_are_shortened_and_long_gaps_too() {
    let mut finding = leak();
    finding.suggestion = None;
    finding.path = (1..=11).map(|line| step(Role::Decision, line)).collect();
    finding.path[0].role = Role::Allocation;
    let shortened = shown(finding.clone(), Style::default());
    assert!(shortened.contains(" | … 3 more decisions; --verbose shows all\n...\n"), "{shortened}");
    let whole = shown(finding, Style { all: true, ..Style::default() });
    assert!(whole.contains("(5)") && !whole.contains('…'), "{whole}");
    assert!(whole.contains("once in each call; found by saber; fingerprint 0123"), "{whole}");
}

#[test]
fn nothing_from_outside_steers_the_terminal() {
    let mut finding = leak();
    finding.message = "\x1b[31m".into();
    finding.path[0].message = "a\nb".into();
    finding.primary = Location::point(Path::new("\x1b]0;x\x07.c"), 1, 1);
    finding.suggestion.as_mut().unwrap().code = "\r".into();
    let text = shown(finding, Style::default());
    assert!(!text.contains(['\x1b', '\r', '\x07']), "{text:?}");
    assert!(text.contains("(1) a\\nb"), "{text}");
}

#[test]
fn links_and_colours_only_if_asked() {
    let results = Results { findings: vec![leak()], ..Results::default() };
    let texts = Texts::new(&source);
    let style = Style { colour: true, ..Style::default() };
    let folder = Path::new("/a b");
    let text = findings(&results, &View { style, texts: &texts, links: Some(folder) });
    assert!(
        text.starts_with("\x1b]8;;file:///a%20b/list.c#L5\x1b\\\x1b[36mlist.c:5:15"),
        "{text:?}"
    );
    assert!(text.contains("\x1b[1;31m"), "{text:?}");
    assert!(!shown(leak(), Style::default()).contains('\x1b'));
}

#[test]
fn findings_are_grouped_by_file() {
    let other = Finding { primary: range("b.c", 1, 1, 1), ..leak() };
    let results = Results { findings: vec![leak(), other, leak()], ..Results::default() };
    let texts = Texts::new(&|_| None);
    let view = View { style: Style::default(), texts: &texts, links: None };
    let text = findings(&results, &view);
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("──")).collect();
    assert_eq!(titles, ["── list.c: 2 findings", "── b.c: 1 finding"]);
}
