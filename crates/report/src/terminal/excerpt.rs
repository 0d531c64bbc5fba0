//! The way of a finding, drawn into the source it runs through.
//!
//! Steps that go down one file are one excerpt; a step to another file, or back, begins the next.
//! What cannot be quoted is told by its position.

use std::rc::Rc;

use caulk_finding::{Location, Range, Role, Step};

use super::View;
use super::line::{ShownLine, shown};
use super::shorten::{Item, omitted, shorten};
use crate::style::printable;
use crate::texts::Text;

/// Lines between two steps that are shown rather than left out.
const BRIDGED: u32 = 2;
/// Columns that a line with its label may take before the label gets a line of its own.
const LABELLED: usize = 130;

/// The path of a finding. `here` is where the reader already is, from the finding's header.
pub fn path(steps: &[Step], here: &Location, gutter: usize, view: &View<'_>) -> String {
    let mut excerpt = Excerpt { view, gutter, out: String::new(), at: None, quoting: false };
    excerpt.at = here.range.map(|_| At { place: here.clone(), line: 0, text: None });
    for item in shorten(steps, view.style.all) {
        match item {
            Item::Step(number, step) => excerpt.step(number, step),
            Item::Omitted { steps, decisions } => excerpt.row(&omitted(steps, decisions)),
        }
    }
    excerpt.out
}

/// How wide the line numbers of a path are.
pub fn gutter<'a>(places: impl Iterator<Item = &'a Location>) -> usize {
    let lines = places.filter_map(|place| place.range).map(|range| range.start.line);
    lines.max().unwrap_or(1).to_string().len()
}

/// Where the excerpt is: the file, and what was quoted last.
struct At {
    place: Location,
    line: u32,
    text: Option<String>,
}

struct Excerpt<'a, 'b> {
    view: &'a View<'b>,
    gutter: usize,
    out: String,
    at: Option<At>,
    quoting: bool,
}

impl Excerpt<'_, '_> {
    fn step(&mut self, number: usize, step: &Step) {
        let text = self.view.texts.get(&step.location.path);
        let quoted = step.location.range.zip(text);
        let line = quoted.and_then(|(range, text)| {
            let bytes = text.line(range.start.line)?;
            let shown = shown(bytes, range.start.column, end_column(&range));
            Some((range, shown, Rc::clone(&text)))
        });
        let label = format!("({number}) {}", printable(&step.message));
        match line {
            Some((range, line, text)) => {
                let number = range.start.line;
                self.turn_to(&step.location, number);
                self.quote(number, &line, &text);
                let place = step.location.clone();
                self.at = Some(At { place, line: number, text: Some(line.text.clone()) });
                self.underline(&line, step.role, &label);
            }
            None => self.unquoted(step, &label),
        }
        if let Some((path, point)) = &step.location.in_macro {
            let spelled = self.view.point(path, *point);
            self.row(&format!("    in a macro, spelled at {spelled}"));
        }
    }

    /// A new heading, if the step is not further down the same file.
    fn turn_to(&mut self, place: &Location, line: u32) {
        let follows =
            self.at.as_ref().is_some_and(|at| at.place.path == place.path && at.line <= line);
        if !follows {
            let arrow = self.view.style.frame(&format!("{:>width$}-->", "", width = self.gutter));
            self.out += &format!("{arrow} {}\n", self.view.place(place));
            self.at = None;
        }
        if !follows || !self.quoting {
            self.row("");
        }
        self.quoting = true;
    }

    /// The line itself, unless it stands there already, with what lies between.
    fn quote(&mut self, line: u32, shown: &ShownLine, text: &Text) {
        let before = self.at.as_ref().filter(|at| at.line > 0);
        let last = before.map(|at| at.line);
        if before.is_some_and(|at| at.line == line && at.text.as_ref() == Some(&shown.text)) {
            return;
        }
        match last {
            Some(last) if line > last + BRIDGED + 1 => self.out += "...\n",
            Some(last) => (last + 1..line).for_each(|between| self.bridge(between, text)),
            None => {}
        }
        self.numbered(line, &shown.text);
    }

    fn bridge(&mut self, line: u32, text: &Text) {
        let line_text = shown(text.line(line).unwrap_or_default(), 1, 1).text;
        self.numbered(line, &line_text);
    }

    fn numbered(&mut self, line: u32, text: &str) {
        let frame = format!("{line:>width$} |", width = self.gutter);
        let row = format!("{} {text}", self.view.style.frame(&frame));
        self.out += &format!("{}\n", row.trim_end());
    }

    fn underline(&mut self, line: &ShownLine, role: Role, label: &str) {
        let mark =
            if matches!(role, Role::Flow | Role::Decision | Role::Along) { "~" } else { "^" };
        let marks = " ".repeat(line.from) + &mark.repeat(line.to - line.from);
        let style = &self.view.style;
        if line.to + label.chars().count() <= LABELLED {
            self.row(&style.role(role, &format!("{marks} {label}")));
        } else {
            let (marks, indent) = (style.role(role, &marks), " ".repeat(line.from.min(20)));
            let label = style.role(role, &format!("{indent}{label}"));
            self.row(&marks);
            self.row(&label);
        }
    }

    fn unquoted(&mut self, step: &Step, label: &str) {
        let place = self.view.place(&step.location);
        let label = self.view.style.role(step.role, label);
        self.out += &format!("{:>width$}   {place}: {label}\n", "", width = self.gutter);
        (self.at, self.quoting) = (None, false);
    }

    /// A row that no line of the source has.
    fn row(&mut self, text: &str) {
        let frame = format!("{:>width$} |", "", width = self.gutter);
        let row = format!("{} {text}", self.view.style.frame(&frame));
        self.out += &format!("{}\n", row.trim_end());
    }
}

/// A range over several lines is underlined to the end of its first.
fn end_column(range: &Range) -> u32 {
    if range.end.line > range.start.line { u32::MAX } else { range.end.column }
}
