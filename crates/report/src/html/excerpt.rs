//! The lines that a finding runs through, file by file, with its steps marked on them.

use std::collections::BTreeMap;
use std::path::Path;

use caulk_finding::{Finding, Step};
use serde_json::{Value, json};

use crate::Texts;
use crate::style::printable;
use crate::texts::Text;

/// Lines around each step.
const AROUND: u32 = 3;
/// Bytes of a longer line that are shown.
const LONGEST: usize = 400;
/// … of which before its first step.
const BEFORE: usize = 100;

/// A step on a line: its number from 0, and its columns in bytes from 0.
#[derive(Clone, Copy)]
struct Mark {
    step: usize,
    from: usize,
    to: usize,
}

type Lines = BTreeMap<u32, Vec<Mark>>;

/// `[{ "path", "lines": [[number, text, [[step, from, to], …]], …] }, …]`, in the order in which the
/// path comes to the files. Files that cannot be read have no lines.
pub fn excerpts(finding: &Finding, texts: &Texts<'_>) -> Value {
    let mut files: Vec<(&Path, Lines)> = Vec::new();
    for (number, step) in finding.path.iter().enumerate() {
        let path = step.location.path.as_path();
        let at = files.iter().position(|(known, _)| *known == path).unwrap_or_else(|| {
            files.push((path, Lines::new()));
            files.len() - 1
        });
        if let Some(text) = texts.get(path) {
            add(&mut files[at].1, number, step, &text);
        }
    }
    let file = |(path, lines): &(&Path, Lines)| {
        let text = texts.get(path);
        let rows: Vec<Value> = text.iter().flat_map(|text| rows(lines, text)).collect();
        json!({ "path": path.to_string_lossy(), "lines": rows })
    };
    files.iter().map(file).collect()
}

fn add(lines: &mut Lines, number: usize, step: &Step, text: &Text) {
    let Some(range) = step.location.range else { return };
    let line = range.start.line;
    for near in line.saturating_sub(AROUND)..=line.saturating_add(AROUND) {
        if text.line(near).is_some() {
            lines.entry(near).or_default();
        }
    }
    if let Some(marks) = lines.get_mut(&line) {
        let from = range.start.column.saturating_sub(1) as usize;
        let is_one_line = range.end.line == line;
        let to = if is_one_line { range.end.column.saturating_sub(1) as usize } else { usize::MAX };
        marks.push(Mark { step: number, from, to });
    }
}

fn rows(lines: &Lines, text: &Text) -> Vec<Value> {
    let row = |(number, marks): (&u32, &Vec<Mark>)| {
        let (text, marks) = shown(text.line(*number).unwrap_or_default(), marks);
        json!([number, text, marks])
    };
    lines.iter().map(row).collect()
}

/// The text of a line, and its marks as a browser counts: in units of UTF-16.
fn shown(line: &[u8], marks: &[Mark]) -> (String, Vec<[usize; 3]>) {
    let first = marks.iter().map(|mark| mark.from.min(line.len())).min().unwrap_or(0);
    let start = if line.len() <= LONGEST { 0 } else { first.saturating_sub(BEFORE) };
    let end = line.len().min(start + LONGEST);
    let mut text = String::from(if start > 0 { "…" } else { "" });
    let mut units: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut unit) = (start, text.encode_utf16().count());
    let mut push = |piece: &str, length: usize| {
        units.push((at, unit));
        text += piece;
        at += length;
        unit += piece.encode_utf16().count();
    };
    for chunk in line[start..end].utf8_chunks() {
        for ch in chunk.valid().chars() {
            let piece =
                if ch == '\t' { "\t".to_owned() } else { printable(ch.encode_utf8(&mut [0; 4])) };
            push(&piece, ch.len_utf8());
        }
        if !chunk.invalid().is_empty() {
            push("\u{fffd}", chunk.invalid().len());
        }
    }
    let last = unit;
    let unit_of = |byte: usize| {
        let index = units.partition_point(|(at, _)| *at < byte);
        units.get(index).map_or(last, |(_, unit)| *unit)
    };
    let mark = |mark: &Mark| [mark.step, unit_of(mark.from), unit_of(mark.to.max(mark.from + 1))];
    let marks = marks.iter().map(mark).collect();
    (text + if end < line.len() { "…" } else { "" }, marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{leak, source};

    #[test]
    fn each_file_is_quoted_once() {
        let mut finding = leak();
        finding.path[1].location.path = "gone.c".into();
        let value = excerpts(&finding, &Texts::new(&source));
        assert_eq!(value[0]["path"], "list.c");
        let lines = value[0]["lines"].as_array().unwrap();
        let numbers: Vec<u64> = lines.iter().map(|line| line[0].as_u64().unwrap()).collect();
        assert_eq!(numbers, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(lines[3], json!([5, "\tchar *copy = strdup (name);", [[0, 14, 27]]]));
        assert_eq!(value[1], json!({ "path": "gone.c", "lines": [] }));
    }

    fn marked(line: &[u8], from: usize, to: usize) -> String {
        let (text, marks) = shown(line, &[Mark { step: 0, from, to }]);
        let units: Vec<u16> = text.encode_utf16().collect();
        String::from_utf16_lossy(&units[marks[0][1]..marks[0][2]])
    }

    #[test]
    fn marks_count_as_browsers_do() {
        assert_eq!(marked("/* 🦀ä */ x = 1".as_bytes(), 13, 14), "x");
        assert_eq!(marked(b"\xff\x1b = f ()", 5, 9), "f ()");
        assert_eq!(marked(b"abc", 7, 9), "");
        assert_eq!(marked(b"", 0, 0), "");
    }

    #[test]
    fn long_lines_are_cut() {
        let line = format!("{}needle{}", "x".repeat(5_000), "y".repeat(5_000));
        assert_eq!(marked(line.as_bytes(), 5_000, 5_006), "needle");
        let (text, _) = shown(line.as_bytes(), &[Mark { step: 0, from: 5_000, to: 5_006 }]);
        assert_eq!(text.chars().count(), LONGEST + 2);
    }
}
