//! Findings of a tool against the truth.
//!
//! A finding is about the site on whose call chain its allocation line stands, the nearer to the
//! allocation the better. A finding without an allocation line stands where the tool saw the loss:
//! it is matched with the places of loss, and failing that with the functions of a defect.

use super::SUITE;
use super::frames::{Chain, Frame};
use super::truth::{Defect, Kind, Truth, Truths};
use crate::lab::findings::Finding;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What one tool says about one program; no findings is a statement, too.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    pub tool: String,
    pub program: String,
    pub findings: Vec<Finding>,
}

/// How a tool did on the programs that it reported on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Score {
    pub programs: usize,
    /// Defects that some finding is about, and those that none is about, by kind.
    pub found: BTreeMap<String, usize>,
    pub missed: BTreeMap<String, usize>,
    /// Findings about sites that never lose anything, or about nothing at all.
    pub wrong: usize,
    /// Findings about memory that is reachable at exit.
    pub kept: usize,
    /// Defects that show only when an allocation fails: found ones, and all.
    pub on_failure: [usize; 2],
    /// Findings on lines that no run executed.
    pub unscored: usize,
}

impl Score {
    pub fn total(by_kind: &BTreeMap<String, usize>) -> usize {
        by_kind.values().sum()
    }
}

/// What a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// Indices of defects in the truth.
    Defect(usize),
    Kept,
    Clean,
    NotExecuted,
    Nothing,
}

/// The reports in a file: one, or a list.
pub fn read(file: &Path) -> Result<Vec<Report>, String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Reports {
        Many(Vec<Report>),
        One(Report),
    }
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| told(&e))?;
    match serde_json::from_str(&text).map_err(|e| told(&e))? {
        Reports::Many(reports) => Ok(reports),
        Reports::One(report) => Ok(vec![report]),
    }
}

/// A report on the whole suite is one on each of its programs: findings are told apart by file.
fn by_program(truths: &Truths, report: &Report) -> Vec<Report> {
    if report.program != SUITE {
        return vec![report.clone()];
    }
    let on = |program: &String| {
        let is_of = |finding: &&Finding| {
            Path::new(&finding.file).file_stem().is_some_and(|stem| stem == program.as_str())
        };
        let findings = report.findings.iter().filter(is_of).cloned().collect();
        Report { tool: report.tool.clone(), program: program.clone(), findings }
    };
    truths.keys().map(on).collect()
}

/// Per tool; reports on programs that have no truth are left out.
pub fn score(truths: &Truths, reports: &[Report]) -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for report in reports.iter().flat_map(|report| by_program(truths, report)) {
        let score = scores.entry(report.tool.clone()).or_default();
        if let Some(truth) = truths.get(&report.program) {
            add(score, truth, &report.findings);
        }
    }
    scores
}

fn add(score: &mut Score, truth: &Truth, findings: &[Finding]) {
    let mut found = BTreeSet::new();
    for (_, about) in judged(truth, findings) {
        match about.as_slice() {
            [About::Defect(_), ..] => found.extend(about),
            [About::Kept, ..] => score.kept += 1,
            [About::NotExecuted, ..] => score.unscored += 1,
            _ => score.wrong += 1,
        }
    }
    score.programs += 1;
    for (index, defect) in truth.defects.iter().enumerate() {
        let is_found = found.contains(&About::Defect(index));
        if defect.only_on_failure {
            score.on_failure[0] += usize::from(is_found);
            score.on_failure[1] += 1;
        } else {
            let list = if is_found { &mut score.found } else { &mut score.missed };
            *list.entry(defect.kind.name().to_string()).or_default() += 1;
        }
    }
}

/// A line for each defect that was missed and each finding that is wrong.
pub fn list(truths: &Truths, report: &Report) -> String {
    let mut text = String::new();
    for report in by_program(truths, report) {
        let Some(truth) = truths.get(&report.program) else { continue };
        let judged = judged(truth, &report.findings);
        text += &missed(&report.program, truth, &judged);
        let wrong = judged.iter().filter(|(_, about)| is_wrong(about));
        text.extend(wrong.map(|(finding, _)| {
            let Finding { file, line, message, .. } = finding;
            let allocation = finding.allocation_line.unwrap_or(*line);
            format!("false   {file}:{allocation}, lost at {line}: {message}\n")
        }));
    }
    text
}

fn missed(program: &str, truth: &Truth, judged: &[(&Finding, Vec<About>)]) -> String {
    let is_found = |index| judged.iter().any(|(_, about)| about.contains(&About::Defect(index)));
    let defects = truth.defects.iter().enumerate();
    let missed = defects.filter(|(index, d)| !d.only_on_failure && !is_found(*index));
    let line = |(_, defect): (usize, &Defect)| {
        let words = |frames: &mut dyn Iterator<Item = &Frame>| {
            frames.map(|frame| frame.to_string()).collect::<Vec<_>>().join(" < ")
        };
        let chain = words(&mut defect.chain.iter());
        let lost = words(&mut defect.lost.iter());
        format!("missed  {program}.c: {} of {chain}, lost at {lost}\n", defect.kind.name())
    };
    missed.map(line).collect()
}

/// The defects that were found, and the findings that are wrong, each in words that stay the same
/// while the program and what is found do.
pub fn outcome(truth: &Truth, findings: &[Finding]) -> (BTreeSet<String>, BTreeSet<String>) {
    let judged = judged(truth, findings);
    let defect = |about: &About| match about {
        About::Defect(index) => {
            let Defect { kind, chain, .. } = &truth.defects[*index];
            let site: Vec<String> = chain.iter().map(|frame| frame.to_string()).collect();
            Some(format!("{} of {}", kind.name(), site.join(" < ")))
        }
        _ => None,
    };
    let found = judged.iter().flat_map(|(_, about)| about.iter().filter_map(defect)).collect();
    let wrong = judged.iter().filter(|(_, about)| is_wrong(about));
    (found, wrong.map(|(finding, _)| words(finding)).collect())
}

pub fn words(finding: &Finding) -> String {
    let line = finding.allocation_line.unwrap_or(finding.line);
    format!("{} of line {line}", finding.kind.name())
}

/// Each finding once, with what it is about.
fn judged<'a>(truth: &Truth, findings: &'a [Finding]) -> Vec<(&'a Finding, Vec<About>)> {
    let findings: BTreeSet<&Finding> = findings.iter().collect();
    findings.into_iter().map(|finding| (finding, about(truth, finding))).collect()
}

fn is_wrong(about: &[About]) -> bool {
    matches!(about, [About::Clean | About::Nothing, ..])
}

/// The best matches: several defects if all are equally near.
fn about(truth: &Truth, finding: &Finding) -> Vec<About> {
    let line = finding.allocation_line.unwrap_or(finding.line);
    let mut matches = by_allocation(truth, finding.kind, line);
    if !matches!(matches.first(), Some(About::Defect(_))) {
        let both = by_both(truth, finding.kind, line, finding.line);
        matches = if both.is_empty() { matches } else { both };
    }
    if matches.is_empty() && finding.allocation_line.is_none() {
        matches = by_loss(truth, finding);
    }
    let is_about_defect = matches!(matches.first(), Some(About::Defect(_)));
    let is_dark = |line: u32| truth.uncovered.contains(&line);
    if !is_about_defect && (is_dark(line) || is_dark(finding.line)) {
        return vec![About::NotExecuted];
    }
    if matches.is_empty() { vec![About::Nothing] } else { matches }
}

/// Defects that are lost where the finding says, and made by a call that it names: a call often makes
/// several things, of which the nearest need not be the one that is meant.
fn by_both(truth: &Truth, kind: Kind, made: u32, lost: u32) -> Vec<About> {
    let fits = |defect: &Defect| {
        is_alike(defect.kind, kind)
            && defect.distance(made).is_some()
            && defect.lost.iter().any(|frame| frame.line == lost)
    };
    let fitting = truth.defects.iter().enumerate().filter(|(_, defect)| fits(defect));
    fitting.map(|(index, _)| About::Defect(index)).collect()
}

/// Sites nearest to the allocation; at the same distance a defect wins over what is no defect.
fn by_allocation(truth: &Truth, kind: Kind, line: u32) -> Vec<About> {
    let distance = |chain: &Chain| chain.iter().position(|frame| frame.line == line);
    let defects = truth.defects.iter().enumerate().filter(|(_, d)| is_alike(d.kind, kind));
    let defects = defects.filter_map(|(i, d)| Some((d.distance(line)?, About::Defect(i))));
    let kept = truth.kept.iter().filter_map(|chain| Some((distance(chain)?, About::Kept)));
    let clean = truth.clean.iter().filter_map(|chain| Some((distance(chain)?, About::Clean)));
    let mut all: Vec<(usize, About)> = defects.chain(kept).chain(clean).collect();
    all.sort();
    let Some(&(nearest, best)) = all.first() else { return Vec::new() };
    let is_best = |(distance, about): &&(usize, About)| {
        *distance == nearest && std::mem::discriminant(about) == std::mem::discriminant(&best)
    };
    all.iter().filter(is_best).map(|(_, about)| *about).collect()
}

fn by_loss(truth: &Truth, finding: &Finding) -> Vec<About> {
    let matching = |test: &dyn Fn(&Defect) -> bool| -> Vec<About> {
        let all = truth.defects.iter().enumerate();
        let fitting = all.filter(|(_, defect)| is_alike(defect.kind, finding.kind) && test(defect));
        fitting.map(|(index, _)| About::Defect(index)).collect()
    };
    let exact = matching(&|defect| defect.lost.iter().any(|frame| frame.line == finding.line));
    if !exact.is_empty() {
        return exact;
    }
    let Some(function) = &finding.function else { return Vec::new() };
    let is_in = |frame: &Frame| frame.function == *function;
    matching(&|defect| defect.lost.iter().any(is_in) || defect.chain.first().is_some_and(is_in))
}

/// Tools differ in what they call a leaked stream.
fn is_alike(one: Kind, other: Kind) -> bool {
    (one == Kind::DoubleFree) == (other == Kind::DoubleFree)
}

/// One row per tool.
pub fn table(scores: &BTreeMap<String, Score>) -> String {
    let mut text = String::from(
        "| tool | programs | found | missed | false | kept at exit | if an allocation fails | \
         not scored |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (tool, score) in scores {
        let [failing, of] = score.on_failure;
        text += &format!(
            "| {tool} | {} | {} | {} | {} | {} | {failing} of {of} | {} |\n",
            score.programs,
            told(&score.found),
            told(&score.missed),
            score.wrong,
            score.kept,
            score.unscored
        );
    }
    text
}

/// The records that the page of the lab reads.
pub fn rows(scores: &BTreeMap<String, Score>) -> Vec<serde_json::Value> {
    let row = |(tool, score): (&String, &Score)| {
        let found = Score::total(&score.found);
        serde_json::json!({ "suite": SUITE, "tool": tool, "program": "all",
            "defects": found + Score::total(&score.missed), "found": found, "false": score.wrong })
    };
    scores.iter().map(row).collect()
}

fn told(by_kind: &BTreeMap<String, usize>) -> String {
    let rows: Vec<String> = by_kind.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("{} ({})", Score::total(by_kind), rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::runnable::truth::Tool;

    fn chain(words: &str) -> Chain {
        words.split(' ').map(|word| Frame::try_from(word.to_string()).unwrap()).collect()
    }

    fn defect(kind: Kind, at: &str, lost: &str) -> Defect {
        Defect {
            kind,
            chain: chain(at),
            through: BTreeSet::new(),
            lost: chain(lost).into_iter().collect(),
            tools: [Tool::Interp].into(),
            only_on_failure: false,
        }
    }

    fn truth() -> Truth {
        Truth {
            defects: vec![
                defect(Kind::Leak, "xmalloc:5 load:20 main:50", "load:25"),
                defect(Kind::DoubleFree, "main:40", "main:49"),
            ],
            kept: vec![chain("cache:30 main:45")],
            clean: vec![chain("xmalloc:5 store:33 main:51"), chain("main:41")],
            uncovered: vec![60],
            ..Truth::default()
        }
    }

    fn finding(kind: Kind, line: u32, allocation_line: Option<u32>) -> Finding {
        Finding {
            kind,
            file: "a.c".into(),
            line,
            function: Some("load".into()),
            message: String::new(),
            allocation_line,
            resource: None,
            confidence: None,
        }
    }

    fn scored(findings: &[Finding]) -> Score {
        let mut score = Score::default();
        add(&mut score, &truth(), findings);
        score
    }

    #[test]
    fn a_site_is_found_at_any_line_of_its_chain() {
        for line in [5, 20, 50] {
            let score = scored(&[finding(Kind::Leak, 99, Some(line))]);
            assert_eq!((score.found["leak"], score.wrong), (1, 0), "line {line}");
            assert_eq!(score.missed["double-free"], 1);
        }
    }

    #[test]
    fn clean_and_unknown_sites_are_false_and_kept_ones_are_apart() {
        let lines = [33, 41, 77, 30, 60].map(|line| finding(Kind::Leak, line, Some(line)));
        let score = scored(&lines);
        assert_eq!((score.wrong, score.kept, score.unscored), (3, 1, 1));
        assert_eq!(Score::total(&score.missed), 2);
    }

    #[test]
    fn where_it_is_lost_tells_what_a_call_made() {
        let mut truth = truth();
        truth.clean.push(chain("load:21 main:50"));
        let about = |line| about(&truth, &finding(Kind::Leak, line, Some(50)));
        assert_eq!(about(25), [About::Defect(0)]);
        assert_eq!(about(26), [About::Clean]);
    }

    #[test]
    fn kinds_are_kept_apart_but_for_resources() {
        assert_eq!(scored(&[finding(Kind::ResourceLeak, 9, Some(5))]).found["leak"], 1);
        assert_eq!(scored(&[finding(Kind::DoubleFree, 9, Some(5))]).wrong, 1);
        assert_eq!(scored(&[finding(Kind::DoubleFree, 9, Some(40))]).found["double-free"], 1);
    }

    #[test]
    fn without_an_allocation_the_loss_decides() {
        let mut at_loss = finding(Kind::Leak, 25, None);
        at_loss.function = None;
        assert_eq!(scored(&[at_loss.clone()]).found["leak"], 1);
        at_loss.line = 26;
        assert_eq!(scored(&[at_loss.clone()]).wrong, 1);
        at_loss.function = Some("load".into());
        assert_eq!(scored(&[at_loss]).found["leak"], 1);
    }

    #[test]
    fn what_is_missed_and_wrong_is_listed() {
        let truths: Truths = [("a".to_string(), truth())].into();
        let findings = vec![finding(Kind::Leak, 25, Some(20)), finding(Kind::Leak, 42, Some(41))];
        let report = Report { tool: "t".into(), program: "a".into(), findings };
        let expected = "missed  a.c: double-free of main:40, lost at main:49\n\
            false   a.c:41, lost at 42: \n";
        assert_eq!(list(&truths, &report), expected);
    }

    #[test]
    fn an_outcome_is_told_in_words() {
        let findings = [finding(Kind::Leak, 25, Some(20)), finding(Kind::Leak, 42, Some(41))];
        let (found, wrong) = outcome(&truth(), &findings);
        assert_eq!(found.first().unwrap(), "leak of xmalloc:5 < load:20 < main:50");
        assert_eq!(wrong.first().unwrap(), "leak of line 41");
        assert_eq!((found.len(), wrong.len()), (1, 1));
    }

    #[test]
    fn repeated_findings_count_once() {
        let twice = [finding(Kind::Leak, 9, Some(41)), finding(Kind::Leak, 9, Some(41))];
        assert_eq!(scored(&twice).wrong, 1);
    }

    #[test]
    fn reports_on_unknown_programs_are_left_out() {
        let truths: Truths = [("a".to_string(), truth())].into();
        let report = |program: &str| Report {
            tool: "t".into(),
            program: program.into(),
            findings: vec![finding(Kind::Leak, 9, Some(5))],
        };
        let scores = score(&truths, &[report("a"), report("b")]);
        assert_eq!(scores["t"].programs, 1);
        assert!(table(&scores).contains("| t | 1 | 1 (1 leak) |"));
        assert_eq!(rows(&scores)[0]["defects"], 2);
    }

    #[test]
    fn a_report_on_the_suite_is_split_by_file() {
        let truths: Truths = [("a".to_string(), truth()), ("b".to_string(), truth())].into();
        let findings = vec![finding(Kind::Leak, 9, Some(5))];
        let report = Report { tool: "t".into(), program: SUITE.into(), findings };
        let scores = score(&truths, &[report]);
        assert_eq!((scores["t"].programs, scores["t"].found["leak"]), (2, 1));
        assert_eq!(Score::total(&scores["t"].missed), 3);
    }
}
