//! The order in which findings are told: what hurts most and is surest comes first.

use std::cmp::Reverse;

use crate::Finding;

/// By harm, confidence, file and line; the rest makes the order total, so that it is the same for
/// every number of threads.
pub fn order(findings: &mut [Finding]) {
    findings.sort_by(|one, other| key(one).cmp(&key(other)));
}

fn key(finding: &Finding) -> impl Ord {
    let at = finding.primary.range.map(|range| range.start);
    let place = (&finding.primary.path, at);
    let rest = (finding.kind, &finding.message, finding.path.len(), finding.engine);
    (finding.harm, Reverse(finding.confidence), place, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::leak;
    use crate::{Confidence, Harm};

    #[test]
    fn harm_comes_before_confidence_before_place() {
        let with = |harm, confidence, line| Finding { harm, confidence, ..leak("a.c", line) };
        let mut findings = vec![
            with(Harm::PerProcess, Confidence::High, 1),
            with(Harm::PerCall, Confidence::Medium, 2),
            with(Harm::PerCall, Confidence::High, 9),
            with(Harm::PerCall, Confidence::High, 3),
            with(Harm::PerIteration, Confidence::Low, 5),
        ];
        order(&mut findings);
        let lines = findings.iter().map(|finding| finding.primary.range.unwrap().start.line);
        assert_eq!(lines.collect::<Vec<_>>(), [5, 3, 9, 2, 1]);
    }
}
