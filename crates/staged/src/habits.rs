//! What a program does all the time is no mistake: a function of the project whose callers lose
//! what it makes again and again is more likely misunderstood than misused.

use caulk_base::FxHashMap;
use caulk_finding::{Confidence, Finding, Kind, Location, Site};

/// This many calls of one function make a habit …
const MANY: usize = 8;
/// … if they are one in this many of all that were followed.
const SHARE: usize = 4;
/// … and this many whatever their share.
const VERY_MANY: usize = 20;

/// Lowers what is a habit. What nobody ever releases is told all the same: it needs no
/// understanding of paths.
pub fn lower_habits(findings: &mut [Finding], sites: &[Site], is_own: &dyn Fn(&str) -> bool) {
    let callees: FxHashMap<&Location, &str> =
        sites.iter().map(|site| (&site.location, site.callee.as_str())).collect();
    let followed = count(sites.iter().map(|site| site.callee.as_str()));
    let is_told = |it: &&Finding| is_on_a_path(it) && it.confidence > Confidence::Low;
    let callee_of = |it: &Finding| callees.get(&it.primary).copied();
    let lost = count(findings.iter().filter(is_told).filter_map(callee_of));
    for finding in findings.iter_mut().filter(|it| is_on_a_path(it)) {
        let Some(callee) = callee_of(finding).filter(|callee| is_own(callee)) else { continue };
        let (lost, followed) = (lost.get(callee).copied().unwrap_or(0), followed[callee]);
        if lost >= VERY_MANY || lost >= MANY && lost * SHARE >= followed {
            finding.confidence = Confidence::Low;
            finding.reason = format!(
                "{lost} of {followed} calls of `{callee}` look so, and it may do what was not seen"
            );
        }
    }
}

fn is_on_a_path(finding: &Finding) -> bool {
    finding.kind.is_leak() && finding.kind != Kind::NeverFreed
}

fn count<'a>(names: impl Iterator<Item = &'a str>) -> FxHashMap<&'a str, usize> {
    let mut counts = FxHashMap::default();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weigh::tests::{at, told};

    fn lowered(lost: u32, followed: u32, kind: Kind) -> usize {
        let site = |line| Site {
            location: at(line),
            function: String::from("f"),
            callee: String::from("make"),
            class: "reported",
            story: Vec::new(),
        };
        let sites: Vec<Site> = (0..followed).map(site).collect();
        let finding = |line| Finding { kind, ..told("smoke", line, Confidence::High) };
        let mut findings: Vec<Finding> = (0..lost).map(finding).collect();
        lower_habits(&mut findings, &sites, &|name| name == "make");
        findings.iter().filter(|it| it.confidence == Confidence::Low).count()
    }

    #[test]
    fn what_happens_all_the_time_is_lowered() {
        assert_eq!(lowered(8, 32, Kind::SomePath), 8);
    }

    #[test]
    fn a_few_and_a_small_share_are_not() {
        assert_eq!(lowered(7, 8, Kind::SomePath), 0);
        assert_eq!(lowered(8, 33, Kind::SomePath), 0);
        assert_eq!(lowered(19, 500, Kind::SomePath), 0);
        assert_eq!(lowered(20, 500, Kind::SomePath), 20);
    }

    #[test]
    fn what_is_never_released_is_told() {
        assert_eq!(lowered(20, 20, Kind::NeverFreed), 0);
    }
}
