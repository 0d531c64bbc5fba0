//! What the use-flow engine did with each object, stage by stage, as text for developers.

use std::fmt::Write;

use caulk_flow::{Format, quoted};
use caulk_program::LinkUnit;
use caulk_use_flow::{CandidateTrace, ObjectTrace, PathTrace};

use crate::engines::{Knowledge, Searched};
use crate::whole_program::Meter;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStage {
    /// Objects, and the ends that the joining search found (K5).
    Candidates,
    /// Also the paths to them, with their conditions and what the solver says (K6, K7).
    Conditions,
}

/// The stage for all functions, or for those with a name; none if there is none with it, or the
/// format is dot.
#[must_use]
pub fn dump_search(
    units: Vec<LinkUnit>,
    knowledge: &Knowledge,
    stage: SearchStage,
    function: Option<&str>,
    format: Format,
) -> Option<String> {
    let searched = Searched::new(units, knowledge, Meter::NONE);
    if !searched.has(function) {
        return None;
    }
    let objects = searched.traces(knowledge, function);
    match format {
        Format::Text => Some(objects.iter().map(|object| text(object, stage)).collect()),
        Format::Json => {
            let objects: Vec<String> = objects.iter().map(|object| json(object, stage)).collect();
            Some(format!("[{}]\n", objects.join(",\n")))
        }
        Format::Dot => None,
    }
}

fn text(object: &ObjectTrace, stage: SearchStage) -> String {
    let ObjectTrace { function, place, callee, class, candidates } = object;
    let mut text = format!("{place}: `{callee}` in {function}: {class}\n");
    for candidate in candidates {
        let _ = writeln!(text, "  candidate: {}", candidate.outcome);
        for end in &candidate.ends {
            let _ = writeln!(text, "    {end}");
        }
        if stage == SearchStage::Conditions {
            candidate.paths.iter().for_each(|path| text += &path_text(path));
        }
    }
    text
}

fn path_text(path: &PathTrace) -> String {
    let mut text = format!("    path, {}\n", path.end);
    let mut list = |title: &str, rows: &[String]| {
        for row in rows {
            let _ = writeln!(text, "      {title} {row}");
        }
    };
    list("takes", &path.decisions);
    list("needs", &path.conditions);
    list("is", std::slice::from_ref(&path.answer));
    let values: Vec<String> =
        path.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    list("with", &values);
    text
}

fn json(object: &ObjectTrace, stage: SearchStage) -> String {
    let candidates: Vec<String> =
        object.candidates.iter().map(|candidate| candidate_json(candidate, stage)).collect();
    format!(
        "{{\"place\": {}, \"function\": {}, \"callee\": {}, \"class\": {}, \"candidates\": [{}]}}",
        quoted(&object.place),
        quoted(&object.function),
        quoted(&object.callee),
        quoted(object.class),
        candidates.join(", ")
    )
}

fn candidate_json(candidate: &CandidateTrace, stage: SearchStage) -> String {
    let paths = match stage {
        SearchStage::Candidates => String::new(),
        SearchStage::Conditions => {
            let paths: Vec<String> = candidate.paths.iter().map(path_json).collect();
            format!(", \"paths\": [{}]", paths.join(", "))
        }
    };
    let (outcome, ends) = (quoted(candidate.outcome), strings(&candidate.ends));
    format!("{{\"outcome\": {outcome}, \"ends\": {ends}{paths}}}")
}

fn path_json(path: &PathTrace) -> String {
    let values: Vec<String> = path
        .values
        .iter()
        .map(|(name, value)| {
            format!("{{\"name\": {}, \"value\": {}}}", quoted(name), quoted(value))
        })
        .collect();
    format!(
        "{{\"end\": {}, \"decisions\": {}, \"conditions\": {}, \"answer\": {}, \"values\": [{}]}}",
        quoted(&path.end),
        strings(&path.decisions),
        strings(&path.conditions),
        quoted(&path.answer),
        values.join(", ")
    )
}

fn strings(rows: &[String]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| quoted(row)).collect();
    format!("[{}]", rows.join(", "))
}
