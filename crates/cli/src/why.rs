//! `caulk why`: what became of the allocations on a line.

use std::path::Path;

use caulk_finding::triage::{self, Wishes};
use caulk_finding::{Confidence, Finding, Kind, Location, Results, Site, Subject};
use caulk_project::{SourceFiles, current_dir, find_database};
use caulk_report::{Style, Texts, View, findings, printable};

use crate::args::{FailOn, InputArgs, Place, WhyArgs};
use crate::choices::Basis;
use crate::exit::{Exit, Failure};
use crate::judging::{self, Judgement};
use crate::output;
use crate::terminal::{complain, stdout_colours};

/// Other allocations that are named when there is none on the line.
const NEAREST: usize = 5;

pub fn why(args: &WhyArgs) -> Result<Exit, Failure> {
    let basis = Basis::of(&args.engine)?;
    let input = input(&args.input, &args.place);
    let Judgement { mut results, verdicts, files, judged, .. } =
        judging::judge(&input, &basis, args.quiet)?;
    let line = Line { place: &args.place, basis: &basis, files: &files };
    for row in results.incomplete.iter().filter(|row| {
        let is_here = row.place.as_ref().is_some_and(|place| line.is_in_file(place));
        is_here || row.what == Subject::Program
    }) {
        complain(&format!("caulk: not analysed: {}", printable(&row.to_string())));
    }
    let exit = Exit::of(&results, FailOn::Never);
    let Some(verdicts) = verdicts else { return Ok(exit) };
    let all = Wishes { confidence: Confidence::Low, at_exit: true, ..Wishes::default() };
    triage::add(&mut results, verdicts, &all, &|path| files.read_shown(path));
    // What a run shows is part of the answer.
    results.findings.retain(|finding| line.holds(&finding.primary));
    judged.replay(&mut results.findings, &mut results.incomplete);
    output::write(None, &line.told(&results))?;
    Ok(exit)
}

/// Without a project, the file that is asked about.
pub fn input(given: &InputArgs, place: &Place) -> InputArgs {
    let mut input = given.clone();
    let is_named = !input.files.is_empty() || input.database.is_some();
    let has_project = || current_dir().is_ok_and(|folder| find_database(&folder).is_some());
    if !is_named && (!input.flags.is_empty() || !has_project()) {
        input.files.push(place.path.clone());
    }
    input
}

pub struct Line<'a> {
    pub place: &'a Place,
    pub basis: &'a Basis,
    pub files: &'a SourceFiles,
}

impl Line<'_> {
    fn told(&self, results: &Results) -> String {
        let here = results.sites.iter().filter(|site| self.holds(&site.location));
        let mut told: Vec<String> = here.map(story).collect();
        // Several objects of one call may have the same story.
        told.dedup();
        let text = told.concat() + &self.found(results);
        if text.is_empty() { self.nothing(results) } else { text }
    }

    /// The findings, each with what would keep `caulk check` from showing it.
    fn found(&self, results: &Results) -> String {
        let mut text = String::new();
        for finding in results.findings.iter().filter(|finding| self.holds(&finding.primary)) {
            text += &self.excerpt(finding);
            if let Some(why) = self.hides(finding) {
                text += &format!("`caulk check` does not show it: {why}\n");
            }
        }
        for row in results.suppressed.iter().filter(|row| self.holds(&row.finding.primary)) {
            let (place, reason) = (row.comment.to_string(), printable(&row.reason));
            text += &self.excerpt(&row.finding);
            let place = printable(&place);
            text += &format!("`caulk check` does not show it: {place} allows it: {reason}\n");
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    fn excerpt(&self, finding: &Finding) -> String {
        excerpt(finding, self.files)
    }

    fn hides(&self, finding: &Finding) -> Option<&'static str> {
        if self.basis.is_excluded(finding) {
            Some("its file is excluded by caulk.toml")
        } else if finding.kind == Kind::AtExit {
            Some("it matters only when the process ends (--show leak/at-exit)")
        } else if finding.confidence == Confidence::Low {
            Some("its confidence is low (--show low)")
        } else {
            None
        }
    }

    fn nothing(&self, results: &Results) -> String {
        let Place { path, line } = self.place;
        let path = printable(&path.display().to_string());
        let mut here: Vec<(u32, &Site)> = results
            .sites
            .iter()
            .filter(|site| self.is_in_file(&site.location))
            .filter_map(|site| Some((site.location.range?.start.line.abs_diff(*line), site)))
            .collect();
        here.sort_by_key(|(distance, _)| *distance);
        if here.is_empty() {
            return format!("{path}: no allocation in this file was looked at\n");
        }
        let mut rows: Vec<String> = here.iter().map(|(_, site)| headline(site)).collect();
        rows.dedup();
        rows.truncate(NEAREST);
        format!("{path}:{line}: no allocation on this line; the nearest are\n{}", rows.concat())
    }

    fn is_in_file(&self, location: &Location) -> bool {
        self.is_asked(&location.path)
    }

    /// What a macro allocates is on the line of its use, and on that of its text.
    pub fn holds(&self, location: &Location) -> bool {
        let lines = location.range.map(|range| range.start.line..=range.end.line);
        let is_used = lines.is_some_and(|lines| lines.contains(&self.place.line));
        let spelled = location.in_macro.as_ref();
        is_used && self.is_in_file(location)
            || spelled
                .is_some_and(|(path, point)| point.line == self.place.line && self.is_asked(path))
    }

    fn is_asked(&self, path: &Path) -> bool {
        let identity = |path| self.basis.identity(path, self.files);
        identity(path) == identity(&self.place.path)
    }
}

/// A finding as `caulk check --verbose` shows it.
pub fn excerpt(finding: &Finding, files: &SourceFiles) -> String {
    let source = |path: &Path| files.read_shown(path);
    let texts = Texts::new(&source);
    let style = Style { colour: stdout_colours(), all: true };
    let only = Results { findings: vec![finding.clone()], ..Results::default() };
    findings(&only, &View { style, texts: &texts, links: None })
}

fn story(site: &Site) -> String {
    let rows = site.story.iter().map(|row| printable(row));
    let rows = meaning(site.class).into_iter().map(Into::into).chain(rows);
    rows.fold(headline(site), |text, row| text + &format!("  {row}\n"))
}

/// `a.c:12:7: call of malloc in f: safe`.
fn headline(site: &Site) -> String {
    let (place, callee) = (site.location.to_string(), printable(&site.callee));
    let function = printable(&site.function);
    format!("{}: call of {callee} in {function}: {}\n", printable(&place), site.class)
}

/// The engine's word for the class, in more words.
fn meaning(class: &str) -> Option<&'static str> {
    Some(match class {
        "safe" => "on every way, it is released, kept or handed on",
        "out of sight" => {
            "on every way, it is released or handed on, on some to a callee that keeps it"
        }
        "refuted" => "some ways seemed to lose it, and no run can take them",
        "reported" => "some way loses it, releases it twice or uses it after its release",
        "out of budget" => "the search of its ways came to its limits before it was sure",
        _ => return None,
    })
}
