//! One line per finding and per step, in the form that editors read from compilers.

use caulk_finding::{Finding, Results};

use crate::replay;
use crate::style::printable;

#[must_use]
pub fn gcc(results: &Results) -> String {
    let mut text: String = results.findings.iter().map(finding).collect();
    for remark in &results.remarks {
        text += &line(&remark.place, "note", &remark.message, " [suppression]");
    }
    for row in results.incomplete.iter().filter(|row| row.what.is_input()) {
        text += &match &row.place {
            Some(place) => line(place, "note", &format!("not analysed: {}", row.why), ""),
            None => format!("caulk: note: not analysed: {}\n", printable(&row.to_string())),
        };
    }
    text
}

fn finding(finding: &Finding) -> String {
    let kind = format!(" [{}]", finding.kind.id());
    let mut text = line(&finding.primary, "warning", &finding.message, &kind);
    for (number, step) in (1..).zip(&finding.path) {
        text += &line(&step.location, "note", &format!("({number}) {}", step.message), "");
    }
    if let Some(suggestion) = &finding.suggestion {
        let message = format!("the release is missing before this: {}", suggestion.code);
        text += &line(&suggestion.location, "note", &message, "");
    }
    for row in replay::lines(finding) {
        text += &line(&finding.primary, "note", &row, "");
    }
    text
}

fn line(place: impl ToString, level: &str, message: &str, end: &str) -> String {
    format!("{}: {level}: {}{end}\n", printable(&place.to_string()), printable(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;

    #[test]
    fn editors_can_read_every_line() {
        assert_eq!(
            gcc(&results()),
            "\
list.c:5:15: warning: memory of `strdup` is lost when the list is full [leak/some-path]
list.c:5:15: note: (1) memory is allocated
list.c:6:6: note: (2) `copy` is not NULL
list.c:8:6: note: (3) the condition is true
list.c:9:3: note: (4) `copy`, the last reference, goes out of scope
list.c:9:3: note: the release is missing before this: free (copy);
list.c:3:5: note: not analysed: too hard
"
        );
    }

    #[test]
    fn a_run_is_a_note() {
        let mut results = results();
        results.findings[0].replay.outcome = Some(crate::sample::confirmed());
        let text = gcc(&results);
        assert!(text.contains("list.c:5:15: note: confirmed: a run of `add` shows it\n"), "{text}");
    }

    #[test]
    fn a_message_stays_on_its_line() {
        let mut results = results();
        results.findings[0].message = "a\nb.c:1:1: error: c".into();
        assert!(gcc(&results).starts_with("list.c:5:15: warning: a\\nb.c:1:1: error: c ["));
    }
}
