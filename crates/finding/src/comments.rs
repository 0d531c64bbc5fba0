//! The comments of a C source, found without preprocessing it.
//!
//! Only as much of C as decides what is a comment: literals, both forms of comments, and lines that
//! a backslash continues. Trigraphs are not known.

/// `lines` are counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment<'a> {
    pub text: &'a [u8],
    pub first_line: u32,
    pub last_line: u32,
    /// Whether something else stands before it on its first line.
    pub after_code: bool,
}

#[must_use]
pub fn comments(source: &[u8]) -> Vec<Comment<'_>> {
    let mut scan = Scan { source, at: 0, line: 1, after_code: false };
    let mut found = Vec::new();
    while scan.at < source.len() {
        found.extend(scan.step());
    }
    found
}

struct Scan<'a> {
    source: &'a [u8],
    at: usize,
    line: u32,
    after_code: bool,
}

impl<'a> Scan<'a> {
    /// Past the next token, as far as tokens matter here.
    fn step(&mut self) -> Option<Comment<'a>> {
        let rest = &self.source[self.at..];
        match rest[0] {
            b'/' if rest.get(1) == Some(&b'*') => return Some(self.comment(block_length(rest))),
            b'/' if rest.get(1) == Some(&b'/') => return Some(self.comment(line_length(rest))),
            quote @ (b'"' | b'\'') => self.skip(literal_length(rest, quote)),
            _ => self.skip(1),
        }
        None
    }

    fn comment(&mut self, length: usize) -> Comment<'a> {
        let (first_line, after_code) = (self.line, self.after_code);
        let text = &self.source[self.at..self.at + length];
        self.skip(length);
        // A comment is no code: what follows it is as if it began the line.
        self.after_code = after_code && self.line == first_line;
        Comment { text, first_line, last_line: self.line, after_code }
    }

    fn skip(&mut self, length: usize) {
        for &byte in &self.source[self.at..self.at + length] {
            match byte {
                b'\n' => (self.line, self.after_code) = (self.line.saturating_add(1), false),
                _ => self.after_code |= !byte.is_ascii_whitespace(),
            }
        }
        self.at += length;
    }
}

/// Up to and with the end mark, or the rest of the file.
fn block_length(rest: &[u8]) -> usize {
    let body = &rest[2..];
    body.windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |at| at + 4)
}

/// Without the end of the line.
fn line_length(rest: &[u8]) -> usize {
    let ends = |&at: &usize| rest[at] == b'\n' && !is_continued(&rest[..at]);
    (0..rest.len()).find(ends).unwrap_or(rest.len())
}

/// A literal ends at its quote or, broken, at the end of its line.
fn literal_length(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

fn is_continued(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(source: &str) -> Vec<(String, u32, u32, bool)> {
        let tell = |comment: Comment<'_>| {
            let text = String::from_utf8_lossy(comment.text).into_owned();
            (text, comment.first_line, comment.last_line, comment.after_code)
        };
        comments(source.as_bytes()).into_iter().map(tell).collect()
    }

    #[test]
    fn both_forms_are_found() {
        let found = told("/* a */ x; // b\n  /* c\n d */\n");
        let row = |text: &str, first, last, after| (text.to_owned(), first, last, after);
        assert_eq!(
            found,
            [row("/* a */", 1, 1, false), row("// b", 1, 1, true), row("/* c\n d */", 2, 3, false)]
        );
    }

    #[test]
    fn literals_hold_no_comments() {
        assert_eq!(told("\"// \\\" /* \" '\"' '/*' // yes").len(), 1);
        assert_eq!(told("'broken\n// yes\n").len(), 1);
    }

    #[test]
    fn continued_and_unfinished_comments_end() {
        assert_eq!(told("// a \\\n b\nx")[0].2, 2);
        assert_eq!(told("// a \\\r\n b\r\nx")[0].2, 2);
        assert_eq!(told("/* a\n\n").len(), 1);
        assert_eq!(told("/*/"), [("/*/".to_owned(), 1, 1, false)]);
        assert_eq!(told("\"\\").len(), 0);
    }
}
