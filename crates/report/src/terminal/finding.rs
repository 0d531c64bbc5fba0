//! One finding for people: what, where, the way, what to do, and how sure caulk is.

use caulk_finding::{Finding, Harm, Location, Suggestion};

use super::View;
use super::excerpt::{gutter, path};
use super::line::shown;
use crate::style::printable;
use crate::{harm, replay};

pub fn finding(finding: &Finding, view: &View<'_>) -> String {
    let gutter = gutter(places(finding));
    let mut text = header(finding, view);
    text += &format!("{:>gutter$}   {}\n", "", printable(&finding.message));
    text += &path(&finding.path, &finding.primary, gutter, view);
    if let Some(suggestion) = &finding.suggestion {
        text += &help(suggestion, &finding.primary, gutter, view);
    }
    text + &why(finding, gutter, view) + &run(finding, gutter) + "\n"
}

fn places(finding: &Finding) -> impl Iterator<Item = &Location> {
    let steps = finding.path.iter().map(|step| &step.location);
    let missing = finding.suggestion.iter().map(|suggestion| &suggestion.location);
    [&finding.primary].into_iter().chain(steps).chain(missing)
}

/// `src/a.c:12:5: a resource is lost on some path [leak/some-path] (high)`
fn header(finding: &Finding, view: &View<'_>) -> String {
    let style = &view.style;
    let (place, title) = (view.place(&finding.primary), style.heading(finding.kind.title()));
    let kind = style.warning(&format!("[{}]", finding.kind.id()));
    format!("{place}: {title} {kind} ({})\n", finding.confidence.id())
}

/// The missing release, written where it belongs.
fn help(suggestion: &Suggestion, here: &Location, gutter: usize, view: &View<'_>) -> String {
    let place = &suggestion.location;
    let code = printable(&suggestion.code);
    let word = view.style.help("help");
    let Some(range) = place.range else {
        return format!("{:>gutter$} = {word}: release it: {code}\n", "");
    };
    let line = range.start.line;
    let told = if place.path == here.path { format!("line {line}") } else { view.place(place) };
    let mut text = format!("{:>gutter$} = {word}: release it before {told}\n", "");
    let source = view.texts.get(&place.path);
    match source.as_ref().and_then(|source| source.line(line)) {
        Some(bytes) => {
            let quoted = shown(bytes, range.start.column, range.start.column).text;
            let indent: String = quoted.chars().take_while(|ch| *ch == ' ').collect();
            let plus = view.style.help(&format!("{:>gutter$} + {indent}{code}", ""));
            let bar = view.style.frame(&format!("{line:>gutter$} |"));
            text += &format!("{plus}\n{bar} {quoted}\n");
        }
        None => text += &format!("{:>gutter$} + {code}\n", ""),
    }
    text
}

/// What running it showed.
fn run(finding: &Finding, gutter: usize) -> String {
    let lines = replay::lines(finding).into_iter();
    let marks = std::iter::once("=").chain(std::iter::repeat(" "));
    marks.zip(lines).map(|(mark, line)| format!("{:>gutter$} {mark} {line}\n", "")).collect()
}

/// How sure, and how bad.
fn why(finding: &Finding, gutter: usize, view: &View<'_>) -> String {
    let (confidence, reason) = (finding.confidence.id(), printable(&finding.reason));
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let mut text = format!("{:>gutter$} = {confidence} confidence{reason}\n", "");
    if view.style.all {
        let (harm, engine) = (harm::words(finding.harm), finding.engine);
        text += &format!("{:>gutter$} = {harm}; found by {engine}", "");
        text += &format!("; fingerprint {}\n", finding.fingerprint);
    } else if finding.harm == Harm::PerIteration {
        text += &format!("{:>gutter$} = {}\n", "", harm::words(finding.harm));
    }
    text
}
