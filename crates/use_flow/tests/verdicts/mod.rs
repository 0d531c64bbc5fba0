//! What a case expects, and what the engine says of it.

use caulk_finding::{Confidence, Kind, Verdicts};
use caulk_machines::Machines;
use caulk_models::Models;
use caulk_program::{DirectCalls, Entries, ExternalModels, LinkUnit, indirect_targets, link};
use caulk_testkit::suite::Case;
use caulk_use_flow::{Input, Options, check};

/// How the engine is known to be wrong.
pub enum Mark {
    Missing,
    TooMany,
    /// One too many, but of low confidence, which is not shown.
    Low,
    Other(String),
}

pub struct Expected {
    pub file: String,
    pub line: usize,
    /// By the kind's id; None where nothing may be reported.
    pub kind: Option<String>,
    pub mark: Option<Mark>,
}

pub struct Found {
    pub file: String,
    pub line: usize,
    pub kind: &'static str,
    pub is_low: bool,
    pub is_medium: bool,
    pub message: String,
    /// The lines that it leads over, and what is told there.
    pub steps: Vec<(usize, String)>,
}

/// What a finding must tell of its way.
pub struct Decision {
    pub file: String,
    pub line: usize,
    pub text: String,
}

/// What the engine says of a case.
pub fn verdicts(case: &Case, models: &Models, options: &Options) -> Verdicts {
    let unit = |module| LinkUnit { module, target: None };
    let program = link(case.modules().into_iter().map(unit).collect());
    let externals = ExternalModels::new(&program, models);
    let calls = DirectCalls::new(&program);
    let input = Input {
        program: &program,
        externals: &externals,
        machines: &Machines::bundled(),
        calls: &calls,
        entries: &Entries::new(&program, &calls),
        indirect: &indirect_targets(&program),
    };
    check(input, options)
}

pub fn findings(case: &Case, models: &Models) -> Vec<Found> {
    let verdicts = verdicts(case, models, &Options::default());
    let found = |it: caulk_finding::Finding| Found {
        file: it.primary.path.to_string_lossy().into_owned(),
        line: it.primary.range.map_or(0, |range| range.start.line as usize),
        kind: it.kind.id(),
        is_low: it.confidence == Confidence::Low,
        is_medium: it.confidence == Confidence::Medium,
        message: it.message,
        steps: it.path.into_iter().map(step).collect(),
    };
    verdicts.findings.into_iter().map(found).collect()
}

fn step(step: caulk_finding::Step) -> (usize, String) {
    (step.location.range.map_or(0, |range| range.start.line as usize), step.message)
}

/// Each part of the comments, with its file and line.
fn remarks(case: &Case) -> impl Iterator<Item = (&str, usize, &str)> {
    case.files.iter().flat_map(|(file, text)| {
        (1..).zip(text.lines()).flat_map(move |(line, text)| {
            let comment = text.split_once("// ").map_or("", |it| it.1);
            comment.split(';').map(move |part| (file.as_str(), line, part.trim()))
        })
    })
}

pub fn expectations(case: &Case) -> Vec<Expected> {
    let mut rows = Vec::new();
    for (file, line, part) in remarks(case) {
        if let Some((kind, mark)) = expectation(&case.title, part) {
            rows.push(Expected { file: file.to_string(), line, kind, mark });
        }
    }
    assert!(!rows.is_empty(), "{}: nothing is expected", case.title);
    rows
}

pub fn decisions(case: &Case) -> Vec<Decision> {
    let decision = |(file, line, part): (&str, usize, &str)| {
        let text = format!("taken: `{}`", part.strip_prefix("taken: ")?);
        Some(Decision { file: file.to_string(), line, text })
    };
    remarks(case).filter_map(decision).collect()
}

/// The lines with a word: `idle`, where no way that is told decides anything, and `medium`, where a finding
/// of medium confidence is.
pub fn lines_with(case: &Case, word: &str) -> Vec<(String, usize)> {
    let is_it = |(_, _, part): &(&str, usize, &str)| *part == word;
    remarks(case).filter(is_it).map(|(file, line, _)| (file.to_string(), line)).collect()
}

/// None for a comment that is only a comment.
fn expectation(title: &str, text: &str) -> Option<(Option<String>, Option<Mark>)> {
    let (told, mark) = match text.split_once("(smoke)") {
        Some((told, reason)) => {
            let (told, name) = told.rsplit_once(' ').expect("an expectation before the mark");
            (told.trim(), Some(mark(title, name, reason)))
        }
        None => (text, None),
    };
    if told == "ok" {
        return Some((None, mark));
    }
    let id = match told.strip_prefix("leak: ") {
        Some(kind) => format!("leak/{kind}"),
        None => told.to_string(),
    };
    if Kind::of_id(&id).is_none() {
        assert!(mark.is_none() && !told.starts_with("leak:"), "{title}: no kind is called {told}");
        return None;
    }
    Some((Some(id), mark))
}

fn mark(title: &str, name: &str, rest: &str) -> Mark {
    let (told, reason) = rest.split_once(':').unwrap_or((rest, ""));
    assert!(!reason.trim().is_empty(), "{title}: the mark {name} has no reason");
    match name {
        "FN" => Mark::Missing,
        "FP" => Mark::TooMany,
        "LOW" => Mark::Low,
        "AS" => {
            let id = format!("leak/{}", told.trim());
            assert!(Kind::of_id(&id).is_some(), "{title}: no kind is called {told}");
            Mark::Other(id)
        }
        _ => panic!("{title}: no mark is called {name}"),
    }
}
