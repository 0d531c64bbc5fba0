//! What functions add to the verdicts, and the table of stages (K10, Table IV).

use std::time::Duration;

use caulk_base::FxHashMap;
use caulk_finding::{Finding, Incomplete, Section, Site, Subject, Verdicts};
use caulk_program::ProcId;

use crate::paths::Counts;
use crate::step::{By, Exec, Focus};
use crate::trace::{Asked, ObjectTrace};
use crate::twice::{Twice, forget_told};
use crate::witness;

/// What one function adds to the verdicts.
#[derive(Default)]
pub struct Report {
    pub findings: Vec<Finding>,
    pub twice: Vec<Twice>,
    pub sites: Vec<Site>,
    pub incomplete: Vec<Incomplete>,
    pub unknown: Vec<String>,
    /// Calls through pointers that lead nobody knows where.
    pub unresolved: usize,
    pub traces: Vec<ObjectTrace>,
    pub asked: Vec<Asked>,
    pub counts: Counts,
    pub candidates: usize,
    /// Candidates of which no path was left for the solver.
    pub filtered: usize,
    pub out_of_budget: usize,
    pub given_up: usize,
    /// Functions that there was no time for.
    pub not_reached: usize,
    /// Processor time of the search for candidates, and of that on single paths.
    pub exploring: Duration,
    pub following: Duration,
    /// That of finding out which decisions matter.
    pub telling: Duration,
}

/// What summarising functions took.
#[derive(Default)]
pub struct Totals {
    pub summaries: usize,
    pub summaries_given_up: usize,
    pub summarising: Duration,
    /// Of the functions whose objects were decided on the way.
    pub reports: Vec<(ProcId, Report)>,
}

impl Totals {
    pub fn plus(mut self, mut other: Self) -> Self {
        self.reports.append(&mut other.reports);
        Self {
            reports: self.reports,
            summaries: self.summaries + other.summaries,
            summaries_given_up: self.summaries_given_up + other.summaries_given_up,
            summarising: self.summarising + other.summarising,
        }
    }
}

impl Report {
    /// A search that ended before its time.
    pub fn cut_short(&mut self, exec: &Exec<'_>, focus: Focus, why: &str) {
        let Some(site) = witness::site(exec, focus, "") else { return };
        let unit = site.location.path.to_string_lossy().into_owned();
        let what = Subject::Search { name: site.function, unit };
        let does = if focus.by == By::Making { "makes" } else { "releases" };
        let why = format!("what `{}` {does} is followed in part only: {why}", site.callee);
        self.incomplete.push(Incomplete { what, place: Some(site.location), why });
    }

    fn add(&mut self, other: &Report) {
        self.candidates += other.candidates;
        self.filtered += other.filtered;
        self.out_of_budget += other.out_of_budget;
        self.given_up += other.given_up;
        self.not_reached += other.not_reached;
        self.unresolved += other.unresolved;
        self.exploring += other.exploring;
        self.following += other.following;
        self.telling += other.telling;
        self.counts.solved += other.counts.solved;
        self.counts.solving += other.counts.solving;
        self.counts.blocks += other.counts.blocks;
        self.counts.refuted_by_solver += other.counts.refuted_by_solver;
        self.counts.undecided += other.counts.undecided;
    }
}

pub fn verdicts(mut rows: Vec<Report>, totals: &Totals) -> Verdicts {
    forget_told(&mut rows);
    let mut verdicts = Verdicts::default();
    let mut unknown: FxHashMap<String, u64> = FxHashMap::default();
    let mut total = Report::default();
    for row in rows {
        total.add(&row);
        verdicts.findings.extend(row.findings);
        verdicts.sites.extend(row.sites);
        verdicts.incomplete.extend(row.incomplete);
        for name in row.unknown {
            *unknown.entry(name).or_default() += 1;
        }
    }
    verdicts.unknown = unknown.into_iter().collect();
    verdicts.unknown.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    verdicts.statistics.push(stages(&verdicts, &total, totals));
    verdicts.times = times(&total, totals);
    if total.not_reached > 0 {
        let why = format!("stopped before {} functions were looked at", total.not_reached);
        verdicts.incomplete.push(Incomplete { what: Subject::Program, place: None, why });
    }
    verdicts.statistics.push(give_ups(&verdicts, &total, totals));
    verdicts
}

/// The candidates that are left after each stage.
fn stages(verdicts: &Verdicts, total: &Report, totals: &Totals) -> Section {
    let count = |number: usize| number as u64;
    let left = total.candidates - total.filtered;
    Section {
        title: "Use-flow typestate: candidates by stage (K10)",
        rows: vec![
            ("functions summarised", count(totals.summaries)),
            ("objects followed", count(verdicts.sites.len())),
            ("candidates", count(total.candidates)),
            ("left by the filter", count(left)),
            ("left by the solver", count(verdicts.findings.len())),
            ("conditions given to the solver", count(total.counts.solved)),
            ("conditions that it refuted", count(total.counts.refuted_by_solver)),
            ("conditions that it gave up", count(total.counts.undecided)),
            ("blocks executed on single paths", count(total.counts.blocks)),
        ],
    }
}

/// Parts of the engine's own time.
fn times(total: &Report, totals: &Totals) -> Vec<(&'static str, Duration)> {
    vec![
        ("  summaries", totals.summarising),
        ("  candidates", total.exploring),
        ("  single paths, with the filter", total.following.saturating_sub(total.counts.solving)),
        ("  solver", total.counts.solving),
        ("  which decisions matter", total.telling),
    ]
}

fn give_ups(verdicts: &Verdicts, total: &Report, totals: &Totals) -> Section {
    let count = |number: usize| number as u64;
    Section {
        title: "Use-flow typestate: what was given up",
        rows: vec![
            ("summaries out of budget", count(totals.summaries_given_up)),
            ("searches out of budget", count(total.given_up)),
            ("candidates out of budget", count(total.out_of_budget)),
            ("calls through unresolved pointers", count(total.unresolved)),
            ("unknown functions with an object", count(verdicts.unknown.len())),
        ],
    }
}
