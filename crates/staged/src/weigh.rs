//! Evidence for and against, as confidence.
//!
//! The path search is the base: it alone decides whether a path exists. What another engine says
//! alone is shown by default only where the path search came to no end and the other is sure.

use caulk_base::{FxHashMap, FxHashSet};
use caulk_finding::{Cause, Confidence, Finding, Kind, Location, Sharing, Site, Verdicts, cause};

/// What the path search calls a site whose paths it went through to their ends.
pub const SETTLED: [&str; 2] = ["safe", "refuted"];

/// The same, or through to where somebody else took the object.
pub const DECIDED: [&str; 3] = [SETTLED[0], SETTLED[1], "out of sight"];

/// One verdict per cause, with the confidence that all engines together give; `alone` is what it is
/// worth that the path search alone calls memory lost.
#[must_use]
pub fn weigh(
    paths: Verdicts,
    structures: &Verdicts,
    conditions: &Verdicts,
    alone: Confidence,
) -> Verdicts {
    let others = [structures, conditions];
    let mut verdicts = paths;
    let told: FxHashSet<Cause> = verdicts.findings.iter().flat_map(causes).collect();
    let by_cause: Vec<FxHashMap<Cause, &Finding>> = others.iter().map(|it| index(it)).collect();
    for finding in &mut verdicts.findings {
        let agreeing = by_cause
            .iter()
            .filter_map(|rows| causes(finding).find_map(|cause| rows.get(&cause).copied()));
        let agreeing = agreeing.collect::<Vec<_>>();
        support(finding, &agreeing, alone);
    }
    let decided = decided(&verdicts.sites);
    let is_alone = |it: &&Finding| !causes(it).any(|cause| told.contains(&cause));
    let structural = structures.findings.iter().filter(is_alone);
    let conditional = conditions.findings.iter().filter(is_alone);
    // Symbolic evaluation alone is wrong too often, and there to supply conditions.
    let alone: Vec<Finding> = structural
        .map(|it| doubt(it, &decided, Confidence::Medium))
        .chain(conditional.map(|it| doubt(it, &decided, Confidence::Low)))
        .collect();
    verdicts.findings.extend(alone);
    tell_stories(&mut verdicts.sites, &others);
    for finding in &mut verdicts.findings {
        finding.engine = "staged";
    }
    verdicts.statistics.extend(others.iter().flat_map(|it| it.statistics.clone()));
    verdicts
}

fn index(verdicts: &Verdicts) -> FxHashMap<Cause, &Finding> {
    let rows = |finding| causes(finding).map(move |cause| (cause, finding));
    verdicts.findings.iter().flat_map(rows).collect()
}

/// What a mistake is told by: where the object comes from, and for one that is released twice also where
/// that happens, since not every engine knows where it comes from.
fn causes(finding: &Finding) -> impl Iterator<Item = Cause> + use<> {
    let first = cause(finding);
    let again = finding.path.last().filter(|_| finding.kind == Kind::DoubleFree).map(|step| {
        let Location { path, range, .. } = &step.location;
        (first.0, path.clone(), range.map(|range| range.start))
    });
    std::iter::once(first).chain(again)
}

/// Nothing is certain that only one says of what all look for: where a second engine agreed, one
/// finding in twelve that were read was false, and two in five where none did. Those stay low until a
/// run shows them.
///
/// What a second engine says too is believed one step more; but symbolic evaluation looks at one
/// function as the path search does, and shares the doubts that make a finding low. That another
/// allocation must fail first stays a matter of taste, whoever says so.
fn support(finding: &mut Finding, agreeing: &[&Finding], alone: Confidence) {
    if finding.replay.when.is_none() {
        finding.replay.when = agreeing.iter().find_map(|it| it.replay.when.clone());
    }
    let names: Vec<&str> = agreeing.iter().map(|it| it.engine).collect();
    if names.is_empty() {
        if is_sought(finding) && finding.confidence == Confidence::High {
            // All engines look for memory; of these, two in five that were read were false (four in five of
            // those that were lost with their owner), and one in eight of those that are overwritten.
            let is_plain = finding.resource == "memory"
                && matches!(finding.kind, Kind::SomePath | Kind::NeverFreed | Kind::LostWithOwner);
            finding.confidence = if is_plain { alone } else { Confidence::Medium };
            finding.reason = format!("{}; no second engine says so", finding.reason);
        }
        return;
    }
    let by_summaries = agreeing.iter().any(|it| it.engine == "sparrow");
    let is_dispelled = finding.shared_doubt == Sharing::Nobody;
    if finding.kind != Kind::SecondFailure {
        finding.confidence = match finding.confidence {
            Confidence::Low if by_summaries && is_dispelled => Confidence::Medium,
            Confidence::Low => Confidence::Low,
            Confidence::Medium if !is_dispelled => Confidence::Medium,
            Confidence::Medium | Confidence::High => Confidence::High,
        };
    }
    finding.reason = format!("{}; also found by {}", finding.reason, names.join(" and "));
}

/// Whether what summaries say of a finding can change what it is worth (`support`).
pub fn matters_to_summaries(finding: &Finding) -> bool {
    let is_raised =
        finding.confidence == Confidence::Low && finding.shared_doubt == Sharing::Nobody;
    matters_to_conditions(finding)
        || is_raised && is_sought(finding) && finding.kind != Kind::SecondFailure
}

/// Whether others look for it, too.
fn is_sought(finding: &Finding) -> bool {
    finding.kind.is_leak() || finding.kind == Kind::DoubleFree
}

/// The same of what symbolic evaluation says.
pub fn matters_to_conditions(finding: &Finding) -> bool {
    match finding.confidence {
        _ if !is_sought(finding) => false,
        Confidence::Low => false,
        Confidence::Medium => {
            finding.kind != Kind::SecondFailure && finding.shared_doubt == Sharing::Nobody
        }
        Confidence::High => true,
    }
}

/// What an engine says alone, against what the path search knows of the site; `most` is what it is
/// worth where it is sure and the path search came to no end.
fn doubt(finding: &Finding, decided: &FxHashSet<&Location>, most: Confidence) -> Finding {
    let is_decided = decided.contains(&finding.primary);
    let why = match is_decided {
        true => "the search of paths finds none on which it happens",
        false => "the search of paths came to no end here",
    };
    let confidence = match finding.confidence {
        Confidence::High if !is_decided => most,
        _ => Confidence::Low,
    };
    let reason = format!("only {} says so: {}; {why}", finding.engine, finding.reason);
    Finding { confidence, reason, ..finding.clone() }
}

fn decided(sites: &[Site]) -> FxHashSet<&Location> {
    let decided = sites.iter().filter(|site| DECIDED.contains(&site.class));
    decided.map(|site| &site.location).collect()
}

/// What every engine made of a site, for `caulk why`: who decided, then what each has to say.
fn tell_stories(sites: &mut [Site], others: &[&Verdicts]) {
    let mut told: FxHashMap<&Location, Vec<Told>> = FxHashMap::default();
    for (name, verdicts) in OTHERS.into_iter().zip(others) {
        for site in &verdicts.sites {
            let row = Told { name, class: site.class, story: &site.story };
            let rows = told.entry(&site.location).or_default();
            // Several objects of one call have the same story.
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    for site in sites {
        let rows = told.get(&site.location).map_or(&[][..], Vec::as_slice);
        let mut story = vec![deciding(site.class, rows), format!("{PATHS}: {}", site.class)];
        story.extend(site.story.iter().map(|line| format!("  {line}")));
        for row in rows {
            story.push(format!("{}: {}", row.name, row.class));
            story.extend(row.story.iter().map(|line| format!("  {line}")));
        }
        site.story = story;
    }
}

/// The stages as people know them, with the names that `--engine` has for them.
const PATHS: &str = "search of paths (smoke)";
const OTHERS: [&str; 2] = ["summaries of functions (sparrow)", "symbolic evaluation (symbolic)"];

/// What another engine says of a site.
#[derive(PartialEq, Eq)]
struct Told<'a> {
    name: &'static str,
    class: &'static str,
    story: &'a [String],
}

/// Which stage decided, and who is for and against it.
fn deciding(class: &str, others: &[Told<'_>]) -> String {
    let mut names: Vec<&str> =
        others.iter().filter(|row| row.class == "reported").map(|row| row.name).collect();
    names.dedup();
    let names = names.join(" and ");
    match class {
        "reported" if names.is_empty() => {
            format!("decided by the {PATHS}, which found a way; no other engine reports it")
        }
        "reported" => {
            format!("decided by the {PATHS}, which found a way; reported by {names} as well")
        }
        _ if DECIDED.contains(&class) && names.is_empty() => {
            format!("decided by the {PATHS}: it found no way to lose it")
        }
        _ if DECIDED.contains(&class) => {
            format!("decided by the {PATHS}: it found no way to lose it, against {names}")
        }
        _ if names.is_empty() => format!("not decided: the {PATHS} came to its limits"),
        _ => format!("decided by {names} alone: the {PATHS} came to its limits"),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use caulk_finding::{Harm, Replay, Role, Step};

    pub fn at(line: u32) -> Location {
        Location::point(std::path::Path::new("a.c"), line, 1)
    }

    pub fn told(engine: &'static str, line: u32, confidence: Confidence) -> Finding {
        Finding {
            kind: Kind::SomePath,
            confidence,
            reason: String::from("why"),
            harm: Harm::PerCall,
            resource: String::from("memory"),
            message: String::from("lost"),
            primary: at(line),
            path: Vec::new(),
            suggestion: None,
            function: String::from("f"),
            engine,
            shared_doubt: caulk_finding::Sharing::Nobody,
            fingerprint: String::new(),
            replay: Replay::default(),
        }
    }

    fn verdicts(findings: Vec<Finding>) -> Verdicts {
        Verdicts { findings, ..Verdicts::default() }
    }

    fn site(line: u32, class: &'static str) -> Site {
        let (function, callee) = (String::from("f"), String::from("malloc"));
        Site { location: at(line), function, callee, class, story: Vec::new() }
    }

    #[test]
    fn agreement_is_worth_one_step() {
        let paths = verdicts(vec![told("smoke", 3, Confidence::Medium)]);
        let structures = verdicts(vec![told("sparrow", 3, Confidence::Low)]);
        let both = weigh(paths, &structures, &Verdicts::default(), Confidence::Low);
        assert_eq!(both.findings.len(), 1);
        assert_eq!(both.findings[0].confidence, Confidence::High);
        assert_eq!(both.findings[0].reason, "why; also found by sparrow");
        assert_eq!(both.findings[0].engine, "staged");
    }

    /// Only what is overwritten, or no memory, is shown on the word of the path search alone.
    #[test]
    fn one_engine_alone_is_not_believed() {
        let level = |kind, resource: &str| {
            let told = told("smoke", 3, Confidence::High);
            let finding = Finding { kind, resource: resource.into(), ..told };
            let (none, alone) = (Verdicts::default(), Confidence::Low);
            weigh(verdicts(vec![finding]), &none, &none, alone).findings[0].confidence
        };
        assert_eq!(level(Kind::SomePath, "memory"), Confidence::Low);
        assert_eq!(level(Kind::LostWithOwner, "memory"), Confidence::Low);
        assert_eq!(level(Kind::Overwritten, "memory"), Confidence::Medium);
        assert_eq!(level(Kind::LostWithOwner, "descriptor"), Confidence::Medium);
    }

    #[test]
    fn what_is_released_twice_in_one_place_is_one_mistake() {
        let told = |engine, line, role| {
            let steps = [(line, role), (9, Role::Release)].map(|(line, role)| {
                let message = String::from("there");
                Step { role, location: at(line), message }
            });
            let finding = told(engine, line, Confidence::Medium);
            Finding { kind: Kind::DoubleFree, path: steps.to_vec(), ..finding }
        };
        let paths = verdicts(vec![told("smoke", 5, Role::Release)]);
        let structures = verdicts(vec![told("sparrow", 3, Role::Allocation)]);
        let both = weigh(paths, &structures, &Verdicts::default(), Confidence::Low);
        let lines = both.findings.iter().map(|it| it.primary.clone());
        assert_eq!(lines.collect::<Vec<_>>(), [at(5)]);
        assert_eq!(both.findings[0].reason, "why; also found by sparrow");
    }

    /// What does not matter changes nothing, whoever agrees.
    #[test]
    fn who_agrees_matters_where_it_changes_something() {
        let levels = [Confidence::Low, Confidence::Medium, Confidence::High];
        let kinds = [Kind::SomePath, Kind::SecondFailure, Kind::DoubleFree];
        let doubts = [Sharing::Nobody, Sharing::Engines];
        let pairs = levels.iter().flat_map(|&level| kinds.map(|kind| (level, kind)));
        for ((confidence, kind), shared_doubt) in pairs.flat_map(|pair| doubts.map(|it| (pair, it)))
        {
            let row = Finding { kind, shared_doubt, ..told("smoke", 3, confidence) };
            let changes = |engine: &'static str| {
                let agreeing = told(engine, 3, Confidence::High);
                let with = |agreeing: &[&Finding]| {
                    let mut finding = row.clone();
                    support(&mut finding, agreeing, Confidence::Low);
                    finding.confidence
                };
                with(&[]) != with(&[&agreeing])
            };
            assert_eq!(matters_to_summaries(&row), changes("sparrow"), "{row:?}");
            assert_eq!(matters_to_conditions(&row), changes("symbolic"), "{row:?}");
        }
    }

    #[test]
    fn what_the_path_search_refutes_is_hidden() {
        let mut paths = verdicts(Vec::new());
        paths.sites = vec![site(3, "safe"), site(9, "out of budget")];
        let alone = [3, 9].map(|line| told("sparrow", line, Confidence::High));
        let all = weigh(paths, &verdicts(alone.to_vec()), &Verdicts::default(), Confidence::Low);
        let levels: Vec<Confidence> = all.findings.iter().map(|it| it.confidence).collect();
        assert_eq!(levels, [Confidence::Low, Confidence::Medium]);
    }

    #[test]
    fn a_site_tells_what_each_stage_made_of_it() {
        let mut paths = verdicts(Vec::new());
        paths.sites = vec![site(3, "safe")];
        let mut structures = verdicts(Vec::new());
        structures.sites = vec![Site { story: vec!["freed".into()], ..site(3, "released") }];
        let all = weigh(paths, &structures, &Verdicts::default(), Confidence::Low);
        let story = [
            "decided by the search of paths (smoke): it found no way to lose it",
            "search of paths (smoke): safe",
            "summaries of functions (sparrow): released",
            "  freed",
        ];
        assert_eq!(all.sites[0].story, story);
    }

    #[test]
    fn the_deciding_stage_is_told_with_who_is_for_and_against_it() {
        let row = |class| Told { name: OTHERS[0], class, story: &[] };
        let check = |class, others: &[Told<'_>], end: &str| {
            let told = deciding(class, others);
            assert!(told.ends_with(end), "{told}");
        };
        check("reported", &[row("released or kept")], "no other engine reports it");
        check(
            "reported",
            &[row("reported")],
            "reported by summaries of functions (sparrow) as well",
        );
        check("safe", &[row("reported")], "to lose it, against summaries of functions (sparrow)");
        check("out of budget", &[], "came to its limits");
        let told = deciding("out of budget", &[row("reported")]);
        assert!(told.starts_with("decided by summaries of functions"), "{told}");
    }
}
