//! Findings that a project lives with, as a file for its repository.
//!
//! One line each: the fingerprint, which alone counts, then kind, function and file for people.
//! The lines are sorted by file, so that versions of the file differ only where findings do.

use std::fmt;

use caulk_base::FxHashSet;

use crate::{Finding, Kind};

const HEADER: &str = "\
# caulk baseline 1
# Known findings, which `--new-only` does not show: fingerprint, kind, function, file.
# Written by `caulk baseline`. A line may be removed to see its finding again.
";

/// The fingerprints of known findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    known: FxHashSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineError {
    /// From 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// What a baseline makes of the findings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    pub new: Vec<Finding>,
    pub known: Vec<Finding>,
    /// Entries of the baseline that nothing matches any more.
    pub stale: usize,
}

/// The text of a baseline file. The fingerprints are assigned.
#[must_use]
pub fn write(findings: &[Finding]) -> String {
    let mut rows: Vec<(String, &str, &str, &str)> = findings.iter().map(row).collect();
    rows.sort_unstable();
    rows.dedup_by(|one, other| one.3 == other.3);
    let line = |(file, function, kind, fingerprint): &(String, &str, &str, &str)| {
        format!("{fingerprint} {kind} {} {file}\n", one_word(function))
    };
    HEADER.to_owned() + &rows.iter().map(line).collect::<String>()
}

fn row(finding: &Finding) -> (String, &str, &str, &str) {
    let file = finding.primary.path.display().to_string().escape_debug().to_string();
    (file, &finding.function, finding.kind.id(), &finding.fingerprint)
}

fn one_word(name: &str) -> String {
    match name.split_whitespace().collect::<String>() {
        name if name.is_empty() => "-".into(),
        name => name,
    }
}

/// Reads what `write` wrote, empty lines and comments beside it. The first mistake ends it: a
/// baseline that is half understood would show or hide the wrong findings.
pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
    let mut known = FxHashSet::default();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.starts_with("# caulk baseline ") && line != "# caulk baseline 1" {
            let message = "a baseline of another version of caulk; write it anew".into();
            return Err(BaselineError { line: number, message });
        }
        if !line.is_empty() && !line.starts_with('#') {
            let entry = fingerprint(line);
            known.insert(entry.map_err(|message| BaselineError { line: number, message })?);
        }
    }
    Ok(Baseline { known })
}

fn fingerprint(line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace();
    let fingerprint = words.next().unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if fingerprint.len() != 32 || !fingerprint.bytes().all(is_digit) {
        let found: String = fingerprint.chars().take(40).collect();
        return Err(format!("expected a fingerprint of 32 hexadecimal digits, found `{found}`"));
    }
    match words.next() {
        Some(kind) if Kind::of_id(kind).is_some() => Ok(fingerprint.to_owned()),
        Some(kind) => Err(format!("expected a kind after the fingerprint, found `{kind}`")),
        None => Err("expected a kind after the fingerprint, found the end of the line".into()),
    }
}

/// The findings that the baseline does not know, and those that it does, in their order.
#[must_use]
pub fn split(findings: Vec<Finding>, baseline: &Baseline) -> Split {
    let is_known = |finding: &Finding| baseline.known.contains(&finding.fingerprint);
    let (known, new): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(is_known);
    let met: FxHashSet<&str> = known.iter().map(|finding| &*finding.fingerprint).collect();
    let stale = baseline.known.len() - met.len();
    Split { new, known, stale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::assign;
    use crate::sample::leak;

    fn findings() -> Vec<Finding> {
        let mut findings = vec![leak("b c.c", 1), leak("a.c", 7), leak("a.c", 3)];
        assign(&mut findings);
        findings
    }

    #[test]
    fn what_is_written_reads_back() {
        let findings = findings();
        let text = write(&findings);
        let files: Vec<&str> = text.lines().skip(3).map(|line| &line[33..]).collect();
        let row = "leak/some-path f";
        assert_eq!(files, [format!("{row} a.c"), format!("{row} a.c"), format!("{row} b c.c")]);
        let split = split(findings.clone(), &parse(&text).unwrap());
        assert_eq!((split.new, split.known, split.stale), (vec![], findings, 0));
    }

    #[test]
    fn the_text_does_not_depend_on_order() {
        let mut other = findings();
        other.reverse();
        assert_eq!(write(&findings()), write(&other));
    }

    #[test]
    fn new_findings_and_stale_entries_are_told_apart() {
        let mut findings = findings();
        let baseline = parse(&write(&findings[..2])).unwrap();
        findings.remove(0);
        let split = split(findings.clone(), &baseline);
        assert_eq!(split.new, findings[1..]);
        assert_eq!((split.known.len(), split.stale), (1, 1));
    }

    #[test]
    fn lines_may_move_and_findings_stay_known() {
        let baseline = parse(&write(&findings())).unwrap();
        let mut moved = vec![leak("b c.c", 9), leak("a.c", 70), leak("a.c", 30)];
        assign(&mut moved);
        assert!(split(moved, &baseline).new.is_empty());
    }

    #[test]
    fn mistakes_have_a_line() {
        let error = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            error("\nxyz\n"),
            "2: expected a fingerprint of 32 hexadecimal digits, found `xyz`"
        );
        let digits = "0".repeat(32);
        assert!(error(&digits).starts_with("1: expected a kind"));
        assert!(error(&format!("{digits} leak/x f a.c")).ends_with("found `leak/x`"));
        assert!(error("# caulk baseline 2\n").contains("another version"));
    }
}
