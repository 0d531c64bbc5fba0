//! How much was found, hidden and missed, in a line.

use std::time::Duration;

use caulk_finding::{Confidence, Finding, Hidden, Kind, Proof, Results};

use crate::incomplete::totals;
use crate::numbers::{count, grouped};

/// `3 findings: 2 high, 1 medium (2 leak/some-path, 1 double-free), in 1.3 s; not analysed: …`.
#[must_use]
pub fn one_line(results: &Results) -> String {
    let mut text = found(&results.findings);
    if !results.wall.is_zero() {
        text += &format!(", in {}", time(results.wall));
    }
    let missing = totals(&results.incomplete);
    if !missing.is_empty() {
        text += &format!("; not analysed: {missing}");
    }
    text
}

fn found(findings: &[Finding]) -> String {
    let number = count(findings.len(), "finding", "findings");
    if findings.is_empty() {
        return number;
    }
    let confidences = [Confidence::High, Confidence::Medium, Confidence::Low];
    let with = |confidence| findings.iter().filter(|row| row.confidence == confidence).count();
    let confidences = tally(confidences.map(|confidence| (with(confidence), confidence.id())));
    let of = |kind| findings.iter().filter(|row| row.kind == kind).count();
    let kinds = tally(Kind::ALL.map(|kind| (of(kind), kind.id())));
    let proven = Proof::ALL.map(|proof| {
        let is_it = |row: &&Finding| row.replay.proof() == Some(proof);
        (findings.iter().filter(is_it).count(), proof.words())
    });
    let proven = tally(proven);
    let proven = if proven.is_empty() { proven } else { format!("; {proven}") };
    format!("{number}: {confidences} ({kinds}){proven}")
}

fn tally<const N: usize>(rows: [(usize, &str); N]) -> String {
    let rows = rows.into_iter().filter(|(number, _)| *number > 0);
    let rows: Vec<String> =
        rows.map(|(number, name)| format!("{} {name}", grouped(number))).collect();
    rows.join(", ")
}

/// In the unit that people would use.
fn time(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// What is not shown, each with what shows it; a line each, none if everything is.
pub(crate) fn hidden(hidden: &Hidden) -> String {
    let rows = [
        (hidden.confidence, "of lower confidence", "--show low"),
        (hidden.at_exit, "at exit only", "--show leak/at-exit"),
        (hidden.suppressed, "suppressed by comments", "--format json lists them"),
        (hidden.baseline, "in the baseline", "leave out --new-only"),
        (hidden.excluded, "in excluded files", "exclude in caulk.toml"),
        (hidden.unchanged, "touched by no change", "leave out --changed-since"),
    ];
    let rows = rows.iter().filter(|(number, _, _)| *number > 0);
    let rows: Vec<String> =
        rows.map(|(number, what, how)| format!("{} {what} ({how})", grouped(*number))).collect();
    let mut text = match rows.is_empty() {
        true => String::new(),
        false => format!("hidden: {}\n", rows.join(", ")),
    };
    if hidden.stale > 0 {
        let entries =
            count(hidden.stale, "entry of the baseline matches", "entries of the baseline match");
        text += &format!("{entries} nothing any more; write it anew\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::leak;

    #[test]
    fn the_summary_is_one_line() {
        let twice = Finding { kind: Kind::DoubleFree, confidence: Confidence::Low, ..leak() };
        let findings = vec![leak(), leak(), twice];
        let results =
            Results { findings, wall: Duration::from_millis(1260), ..crate::sample::results() };
        assert_eq!(
            one_line(&results),
            "3 findings: 2 high, 1 low (2 leak/some-path, 1 double-free), in 1.3 s; \
             not analysed: 1 function"
        );
        assert_eq!(one_line(&Results::default()), "0 findings");
        assert_eq!(time(Duration::from_secs(83)), "1 min 23 s");
    }

    #[test]
    fn what_is_hidden_can_be_shown() {
        let numbers = Hidden { confidence: 1200, baseline: 2, stale: 1, ..Hidden::default() };
        assert_eq!(
            hidden(&numbers),
            "hidden: 1,200 of lower confidence (--show low), \
             2 in the baseline (leave out --new-only)\n\
             1 entry of the baseline matches nothing any more; write it anew\n"
        );
        assert_eq!(hidden(&Hidden::default()), "");
    }
}
