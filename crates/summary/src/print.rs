//! The text form of summaries: stable, and close to what the paper prints (P8).

use std::fmt::Write;

use caulk_program::Program;

use crate::check::Summaries;
use crate::numbers::Numbers;
use crate::summary::Summary;

/// The summaries of all procedures, or of those with a name.
#[must_use]
pub fn print(program: &Program, summaries: &Summaries, function: Option<&str>) -> String {
    let mut text = String::new();
    for (proc, summary) in summaries.iter() {
        let name = &program.procs[proc].name;
        if function.is_none_or(|wanted| wanted == name) {
            let _ = writeln!(text, "{name}");
            text.push_str(&lines(summary));
        }
    }
    text
}

/// The same as JSON: an object per procedure, the categories as lists of anchors.
#[must_use]
pub fn print_json(program: &Program, summaries: &Summaries, function: Option<&str>) -> String {
    let mut rows = Vec::new();
    for (proc, summary) in summaries.iter() {
        let name = &program.procs[proc].name;
        if function.is_none_or(|wanted| wanted == name) {
            rows.push(format!("  {{{}}}", members(name, summary).join(", ")));
        }
    }
    format!("[\n{}\n]\n", rows.join(",\n"))
}

fn members(name: &str, summary: &Summary) -> Vec<String> {
    let mut members = vec![
        format!("\"function\": {}", quoted(name)),
        format!("\"returns\": {}", summary.returns),
        format!("\"given_up\": {}", summary.coarse),
    ];
    for (category, rows) in summary.categories().named() {
        let rows: Vec<String> = rows.iter().map(|row| quoted(row)).collect();
        members.push(format!("\"{category}\": [{}]", rows.join(", ")));
    }
    let result = summary.result.as_ref().map(|held| quoted(&held.numbers.to_string()));
    members.push(format!("\"result\": {}", result.unwrap_or_else(|| "null".to_string())));
    members
}

/// Names and anchors hold no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn lines(summary: &Summary) -> String {
    if summary.coarse {
        return "  given up: arguments are given away\n".to_string();
    }
    if !summary.returns {
        return "  does not return\n".to_string();
    }
    let mut text = String::new();
    for (name, rows) in summary.categories().named() {
        if !rows.is_empty() {
            let _ = writeln!(text, "  {name} {{{}}}", rows.join(", "));
        }
    }
    if let Some(result) = &summary.result {
        match result.numbers {
            numbers if numbers.is_all() || numbers.is_none() => {}
            Numbers::ZERO if !result.nodes.is_empty() => text.push_str("  may return NULL\n"),
            numbers => {
                let _ = writeln!(text, "  returns {numbers}");
            }
        }
    }
    if text.is_empty() {
        text.push_str("  nothing\n");
    }
    text
}
