//! One finding per cause: the same object, lost through many paths or callers, is told once.

use std::cmp::Reverse;
use std::path::PathBuf;

use caulk_base::FxHashMap;

use crate::{Finding, Kind, Location, Point, Role};

/// Of the findings with one cause, the one that is easiest to believe: the highest confidence,
/// then the worst harm, then the shortest path. The order of the rest is kept.
#[must_use]
pub fn merge(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    let mut index: FxHashMap<Cause, usize> = FxHashMap::default();
    for finding in findings {
        match index.get(&cause(&finding)) {
            Some(&at) if believable(&finding) < believable(&kept[at]) => kept[at] = finding,
            Some(_) => {}
            None => {
                index.insert(cause(&finding), kept.len());
                kept.push(finding);
            }
        }
    }
    kept
}

/// Kinds that tell of the same mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    Leak,
    Other(Kind),
}

/// What one mistake is told by: its group, and where the object comes from.
pub type Cause = (Group, PathBuf, Option<Point>);

#[must_use]
pub fn cause(finding: &Finding) -> Cause {
    let group = if finding.kind.is_leak() { Group::Leak } else { Group::Other(finding.kind) };
    let place = allocation(finding);
    (group, place.path.clone(), place.range.map(|range| range.start))
}

/// Where the object comes from.
fn allocation(finding: &Finding) -> &Location {
    let step = finding.path.iter().find(|step| step.role == Role::Allocation);
    step.map_or(&finding.primary, |step| &step.location)
}

/// Smaller is better.
fn believable(finding: &Finding) -> impl Ord {
    (Reverse(finding.confidence), finding.harm, finding.path.len(), finding.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Confidence;
    use crate::sample::leak;

    #[test]
    fn the_best_witness_stays() {
        let sure = Finding { confidence: Confidence::High, ..leak("a.c", 3) };
        let mut long = sure.clone();
        long.path.push(long.path[0].clone());
        let doubtful = Finding { confidence: Confidence::Low, ..sure.clone() };
        let other = leak("a.c", 9);
        let merged = merge(vec![doubtful, other.clone(), long, sure.clone()]);
        assert_eq!(merged, [sure, other]);
    }

    #[test]
    fn kinds_of_leaks_are_one_cause_and_other_mistakes_are_not() {
        let some = leak("a.c", 3);
        let never = Finding { kind: Kind::NeverFreed, ..some.clone() };
        let twice = Finding { kind: Kind::DoubleFree, ..some.clone() };
        assert_eq!(merge(vec![some, never.clone(), twice.clone()]), [never, twice]);
    }
}
