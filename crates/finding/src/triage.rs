//! From what engines say to what people see.

use std::path::PathBuf;

use crate::baseline::{self, Baseline, split};
use crate::{Confidence, Finding, Hidden, Kind, Results, Source, Verdicts};
use crate::{fingerprint, merge, order, suppress};

/// What a user wants to see.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// The least confidence that is shown.
    pub confidence: Confidence,
    /// Whether leaks that matter only at exit are shown.
    pub at_exit: bool,
    /// Findings that are in it are not shown.
    pub baseline: Option<&'a Baseline>,
    /// Whether a finding is in a file that the user does not want to hear of.
    pub is_excluded: &'a dyn Fn(&Finding) -> bool,
    /// Whether a finding is as old as the code that the user does not ask for.
    pub is_unchanged: &'a dyn Fn(&Finding) -> bool,
}

impl Default for Wishes<'_> {
    fn default() -> Self {
        Self {
            confidence: Confidence::Medium,
            at_exit: false,
            baseline: None,
            is_excluded: &|_| false,
            is_unchanged: &|_| false,
        }
    }
}

/// All findings as a baseline wants them: one per cause, in order, named, not suppressed.
#[must_use]
pub fn named(findings: Vec<Finding>) -> Vec<Finding> {
    let mut findings = merge(findings);
    order(&mut findings);
    fingerprint::assign(&mut findings);
    findings
}

/// The text of a baseline of everything that no comment allows, shown or not.
#[must_use]
pub fn baseline(findings: Vec<Finding>, files: &[PathBuf], source: Source<'_>) -> String {
    baseline::write(&suppress::suppress(named(findings), files, source).kept)
}

/// Adds the verdicts to the results of reading the project. What is not shown is counted.
pub fn add(results: &mut Results, verdicts: Verdicts, wishes: &Wishes<'_>, source: Source<'_>) {
    let files: Vec<PathBuf> = results.units.iter().map(|unit| unit.path.clone().into()).collect();
    let suppression = suppress::suppress(named(verdicts.findings), &files, source);
    let mut hidden = Hidden { suppressed: suppression.suppressed.len(), ..results.hidden };
    let mut findings = suppression.kept;
    if let Some(baseline) = wishes.baseline {
        let split = split(findings, baseline);
        (findings, hidden.baseline, hidden.stale) = (split.new, split.known.len(), split.stale);
    }
    results.findings = visible(findings, wishes, &mut hidden);
    results.hidden = hidden;
    results.suppressed = suppression.suppressed;
    results.remarks.extend(suppression.remarks);
    results.incomplete.extend(verdicts.incomplete);
    results.sites = verdicts.sites;
    results.unknown = verdicts.unknown;
    results.statistics = verdicts.statistics;
}

fn visible(findings: Vec<Finding>, wishes: &Wishes<'_>, hidden: &mut Hidden) -> Vec<Finding> {
    // Names, suppressions and baselines speak of all findings, so that this comes last.
    let mut is_shown = |finding: &Finding| {
        let counter = if (wishes.is_excluded)(finding) {
            &mut hidden.excluded
        } else if (wishes.is_unchanged)(finding) {
            &mut hidden.unchanged
        } else if finding.kind == Kind::AtExit && !wishes.at_exit {
            &mut hidden.at_exit
        } else if finding.confidence < wishes.confidence {
            &mut hidden.confidence
        } else {
            return true;
        };
        *counter += 1;
        false
    };
    findings.into_iter().filter(|finding| is_shown(finding)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::leak;

    fn verdicts() -> Verdicts {
        let low = Finding { confidence: Confidence::Low, ..leak("a.c", 20) };
        let exit = Finding { kind: Kind::AtExit, ..leak("a.c", 40) };
        let findings = vec![leak("a.c", 2), leak("a.c", 2), leak("a.c", 10), low, exit];
        Verdicts { findings, ..Verdicts::default() }
    }

    #[test]
    fn what_is_not_shown_is_counted() {
        let text: std::sync::Arc<[u8]> = b"\nx // caulk: allow(leak) meant\n"[..].into();
        let mut results = Results::default();
        add(&mut results, verdicts(), &Wishes::default(), &|_| Some(text.clone()));
        assert_eq!(results.findings.len(), 1);
        let hidden = Hidden { confidence: 1, at_exit: 1, suppressed: 1, ..Hidden::default() };
        assert_eq!(results.hidden, hidden);
        assert_eq!(results.suppressed.len(), 1);
    }

    #[test]
    fn files_and_lines_are_chosen_after_names_and_comments() {
        let text: std::sync::Arc<[u8]> = b"\nx // caulk: allow(leak) meant\n"[..].into();
        let at = |finding: &Finding, line| finding.primary.range.unwrap().start.line == line;
        let shown = |wishes: &Wishes<'_>| {
            let mut results = Results::default();
            add(&mut results, verdicts(), wishes, &|_| Some(text.clone()));
            results
        };
        let all = Wishes { confidence: Confidence::Low, at_exit: true, ..Wishes::default() };
        let wishes = Wishes {
            is_excluded: &|finding| at(finding, 2) || at(finding, 10),
            is_unchanged: &|finding| at(finding, 40),
            ..all
        };
        let results = shown(&wishes);
        let hidden = Hidden { excluded: 1, unchanged: 1, suppressed: 1, ..Hidden::default() };
        assert_eq!(results.hidden, hidden);
        // The comment is of use, whatever is shown.
        assert!(results.remarks.is_empty());
        let names = |results: &Results| -> Vec<String> {
            results.findings.iter().map(|finding| finding.fingerprint.clone()).collect()
        };
        let every = names(&shown(&all));
        assert!(names(&results).iter().all(|name| every.contains(name)));
    }

    #[test]
    fn a_baseline_hides_what_it_knows() {
        let text = super::baseline(verdicts().findings, &[], &|_| None);
        let baseline = baseline::parse(&text).unwrap();
        let wishes = Wishes { baseline: Some(&baseline), ..Wishes::default() };
        let mut results = Results::default();
        add(&mut results, verdicts(), &wishes, &|_| None);
        assert!(results.findings.is_empty());
        assert_eq!((results.hidden.baseline, results.hidden.stale), (4, 0));
    }
}
