//! Call chains in a program's own source, and how the native tools spell them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// One activation: written `function:line`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Frame {
    pub function: String,
    pub line: u32,
}

/// The call that allocates, then its callers. Each function stands in it once, with its innermost
/// activation, so that recursion does not make a site of every depth.
pub type Chain = Vec<Frame>;

impl Frame {
    pub fn new(function: &str, line: u32) -> Frame {
        Frame { function: function.to_string(), line }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.function, self.line)
    }
}

impl From<Frame> for String {
    fn from(frame: Frame) -> String {
        frame.to_string()
    }
}

impl TryFrom<String> for Frame {
    type Error = String;

    fn try_from(text: String) -> Result<Frame, String> {
        let parsed =
            text.rsplit_once(':').and_then(|(name, line)| Some((name, line.parse().ok()?)));
        let (function, line) = parsed.ok_or(format!("`{text}` is no function:line"))?;
        Ok(Frame::new(function, line))
    }
}

/// Without the outer activations of functions that are there already.
pub fn collapsed(frames: impl IntoIterator<Item = Frame>) -> Chain {
    let mut chain: Chain = Vec::new();
    for frame in frames {
        if chain.iter().all(|inner| inner.function != frame.function) {
            chain.push(frame);
        }
    }
    chain
}

/// The outer activations that a chain leaves out, each place once.
pub fn left_out(stack: &[Frame]) -> BTreeSet<Frame> {
    let chain = collapsed(stack.iter().cloned());
    stack.iter().filter(|frame| !chain.contains(frame)).cloned().collect()
}

/// What a tool said, in its own words: the headline, and the frames of the stack below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    pub headline: String,
    /// The functions outside the program that the stack ends in, innermost first.
    pub library: Vec<String>,
    /// The activations in the program, innermost first.
    pub stack: Vec<Frame>,
}

/// A frame of a stack, in the program's own source or outside it.
enum Spelled {
    Own(Frame),
    Foreign(String),
}

/// The stacks in what a sanitizer wrote about a program whose source is called `file`.
pub fn sanitizer(text: &str, file: &str) -> Vec<Paragraph> {
    paragraphs(text.lines(), |line| sanitizer_frame(line, file))
}

/// The stacks in what valgrind wrote.
pub fn valgrind(text: &str, file: &str) -> Vec<Paragraph> {
    let told = text.lines().filter_map(|line| line.strip_prefix("==")?.split_once("== "));
    paragraphs(told.map(|(_, rest)| rest), |line| valgrind_frame(line, file))
}

fn paragraphs<'a>(
    lines: impl Iterator<Item = &'a str>,
    frame: impl Fn(&str) -> Option<Spelled>,
) -> Vec<Paragraph> {
    let mut all: Vec<Paragraph> = Vec::new();
    let mut headline = "";
    let mut is_open = false;
    for line in lines {
        let Some(spelled) = frame(line) else {
            (headline, is_open) = (line.trim(), false);
            continue;
        };
        if !is_open {
            let headline = headline.to_string();
            all.push(Paragraph { headline, library: Vec::new(), stack: Vec::new() });
            is_open = true;
        }
        if let Some(last) = all.last_mut() {
            match spelled {
                Spelled::Own(frame) => last.stack.push(frame),
                Spelled::Foreign(name) if last.stack.is_empty() => last.library.push(name),
                Spelled::Foreign(_) => {}
            }
        }
    }
    all
}

/// `    #1 0x55 in make /folder/file.c:12` (or `:12:3`).
fn sanitizer_frame(line: &str, file: &str) -> Option<Spelled> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let (_, rest) = rest.split_once(" in ")?;
    let (function, place) = rest.split_once(' ').unwrap_or((rest, ""));
    Some(spelled(function, place, file))
}

/// `   at 0x48: malloc (vg_replace_malloc.c:381)` and `   by 0x10: main (file.c:7)`.
fn valgrind_frame(line: &str, file: &str) -> Option<Spelled> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("at 0x").or_else(|| rest.strip_prefix("by 0x"))?;
    let (_, rest) = rest.split_once(": ")?;
    let (function, place) = rest.split_once(" (").unwrap_or((rest, ""));
    Some(spelled(function, place.trim_end_matches(')'), file))
}

fn spelled(function: &str, place: &str, file: &str) -> Spelled {
    let mut parts = place.split(':');
    let path = parts.next().unwrap_or_default();
    let line = parts.next().and_then(|number| number.parse().ok());
    match line {
        Some(line) if path.rsplit('/').next() == Some(file) => {
            Spelled::Own(Frame::new(function, line))
        }
        _ => Spelled::Foreign(function.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'f>(frames: impl IntoIterator<Item = &'f Frame>) -> String {
        frames.into_iter().map(|frame| format!("{frame} ")).collect()
    }

    #[test]
    fn recursion_is_one_activation() {
        let frames = [("grow", 3), ("tree", 9), ("tree", 8), ("tree", 9), ("main", 20)];
        let stack = frames.map(|(name, line)| Frame::new(name, line));
        assert_eq!(text(&left_out(&stack)), "tree:8 ");
        assert_eq!(text(&collapsed(stack)), "grow:3 tree:9 main:20 ");
    }

    #[test]
    fn frames_round_trip() {
        let frame = Frame::try_from("make:12".to_string()).unwrap();
        assert_eq!(frame, Frame::new("make", 12));
        assert_eq!(String::from(frame), "make:12");
        assert!(Frame::try_from("make".to_string()).is_err());
    }

    #[test]
    fn sanitizer_stacks_are_read() {
        let report = "Direct leak of 8 byte(s) in 1 object(s) allocated from:\n    \
            #0 0x7f in __interceptor_malloc ../src/lsan.cpp:69\n    \
            #1 0x55 in make /d/a.c:12\n    #2 0x56 in main /d/a.c:30:5\n    \
            #3 0x7e in __libc_start_main (libc.so+0x2)\n\nSUMMARY: x\n";
        let found = sanitizer(report, "a.c");
        assert_eq!(found.len(), 1);
        assert!(found[0].headline.starts_with("Direct leak"));
        assert_eq!(found[0].library, ["__interceptor_malloc"]);
        assert_eq!(text(&found[0].stack), "make:12 main:30 ");
        assert_eq!(text(&sanitizer(report, "b.c")[0].stack), "");
    }

    #[test]
    fn valgrind_stacks_are_read() {
        let report = "==7== 8 bytes in 1 blocks are definitely lost in loss record 1 of 1\n\
            ==7==    at 0x48: malloc (vg_replace_malloc.c:381)\n\
            ==7==    by 0x49: fopen (iofopen.c:65)\n==7==    by 0x10: main (a.c:7)\n==7== \n";
        let found = valgrind(report, "a.c");
        assert_eq!(found[0].library, ["malloc", "fopen"]);
        assert_eq!(text(&found[0].stack), "main:7 ");
        assert!(found[0].headline.contains("definitely lost"));
    }
}
