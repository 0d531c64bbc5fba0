//! One line of source as a terminal shows it: tabs become spaces, what would steer the terminal is
//! spelled out, and a line that is too long is cut around the part that matters.

use unicode_width::UnicodeWidthChar;

use crate::style::printable;

/// As terminals and C programmers have it.
const TAB: usize = 8;
/// Columns of source that are shown.
const WIDTH: usize = 110;
/// Columns before the range that are kept when a line is cut.
const BEFORE: usize = 40;
/// Bytes that are looked at beyond the range; a column takes at most four.
const REACH: usize = 4 * WIDTH;

/// What is written, and where the range is in it, in columns from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLine {
    pub text: String,
    pub from: usize,
    pub to: usize,
}

/// One character of the source.
struct Cell {
    text: String,
    width: usize,
    /// The byte of the line that it begins at.
    byte: usize,
}

/// `from` and `to` are columns in bytes from 1; `to` is one past the last.
pub fn shown(line: &[u8], from: u32, to: u32) -> ShownLine {
    let from = (from.max(1) as usize - 1).min(line.len());
    let to = (to.max(1) as usize - 1).clamp(from, line.len());
    let (start, end) = window(line, from);
    let cells = cells(&line[start..end], start);
    let column = |byte: usize| -> usize {
        cells.iter().take_while(|cell| cell.byte < byte).map(|cell| cell.width).sum()
    };
    let (mark, mark_end) = (column(from), column(to));
    let total: usize = cells.iter().map(|cell| cell.width).sum();
    let first = if total <= WIDTH { 0 } else { mark.saturating_sub(BEFORE) };
    let (text, first) = cut(&cells, first, start > 0, end < line.len());
    let place = |column: usize| column.saturating_sub(first.0) + first.1;
    let last = place(first.0 + WIDTH);
    let (from, to) = (place(mark).min(last), place(mark_end).min(last));
    ShownLine { text, from, to: to.max(from + 1) }
}

/// The bytes around `from` that may be shown, on borders of characters.
fn window(line: &[u8], from: usize) -> (usize, usize) {
    let is_inside = |byte: u8| byte & 0xc0 == 0x80;
    let start = from.saturating_sub(REACH);
    let skip = |at: usize| line[at..].iter().take(3).take_while(|&&byte| is_inside(byte)).count();
    let end = (from + REACH).min(line.len());
    let start = if start == 0 { 0 } else { start + skip(start) };
    (start, end + skip(end))
}

fn cells(bytes: &[u8], offset: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    let (mut byte, mut column) = (offset, 0);
    let mut push = |text: String, width: usize, length: usize| {
        cells.push(Cell { text, width, byte });
        byte += length;
        column += width;
        column
    };
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            let (text, width) = cell(character, at);
            at = push(text, width, character.len_utf8());
        }
        if !chunk.invalid().is_empty() {
            at = push(char::REPLACEMENT_CHARACTER.to_string(), 1, chunk.invalid().len());
        }
    }
    cells
}

fn cell(character: char, column: usize) -> (String, usize) {
    if character == '\t' {
        let width = TAB - column % TAB;
        return (" ".repeat(width), width);
    }
    let text = printable(character.encode_utf8(&mut [0; 4]));
    let width = text.chars().map(|character| character.width().unwrap_or(0)).sum();
    (text, width)
}

/// At most `WIDTH` columns from `first` on, with marks where something is left out. Also the column
/// that the text really begins with, and the width of the mark before it.
fn cut(cells: &[Cell], first: usize, before: bool, after: bool) -> (String, (usize, usize)) {
    let mut text = String::new();
    let mut column = 0;
    let mut begins = None;
    let mut is_cut = after;
    for cell in cells {
        if column >= first && column + cell.width <= first + WIDTH {
            begins.get_or_insert(column);
            text += &cell.text;
        } else if column >= first {
            is_cut = true;
            break;
        }
        column += cell.width;
    }
    let text = text.trim_end();
    let begins = begins.unwrap_or(first);
    let mark = if before || begins > 0 { "…" } else { "" };
    let end = if is_cut { "…" } else { "" };
    (format!("{mark}{text}{end}"), (begins, mark.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line with a caret row below it.
    fn check(line: &[u8], from: u32, to: u32, expected: &[&str; 2]) {
        let shown = shown(line, from, to);
        let carets = " ".repeat(shown.from) + &"^".repeat(shown.to - shown.from);
        assert_eq!([shown.text.as_str(), &carets], *expected);
    }

    #[test]
    fn tabs_stop_every_eight_columns() {
        check(b"\tp = f ();", 6, 10, &["        p = f ();", "            ^^^^"]);
        check(b"  \tx", 4, 5, &["        x", "        ^"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        check("s = \"漢字\"; x".as_bytes(), 15, 16, &["s = \"漢字\"; x", "            ^"]);
        check("e\u{301}x".as_bytes(), 4, 5, &["e\u{301}x", " ^"]);
    }

    #[test]
    fn odd_bytes_are_shown_not_sent() {
        check(b"\xff\x1bx", 3, 4, &["\u{fffd}\\u{1b}x", "       ^"]);
        check("a\u{202e}x".as_bytes(), 5, 6, &["a\\u{202e}x", "         ^"]);
    }

    #[test]
    fn ranges_outside_of_the_line_do_no_harm() {
        check(b"ab", 9, 12, &["ab", "  ^"]);
        check(b"", 0, 0, &["", "^"]);
        check(b"abc", 3, 1, &["abc", "  ^"]);
    }

    #[test]
    fn long_lines_are_cut_around_the_range() {
        let line = format!("{}needle{}", "x".repeat(5_000), "y".repeat(9_000_000));
        let shown = shown(line.as_bytes(), 5001, 5007);
        assert!(shown.text.starts_with("…x") && shown.text.ends_with("y…"), "{shown:?}");
        assert_eq!(shown.text.chars().count(), WIDTH + 2);
        let marked: String = shown.text.chars().skip(shown.from).take(6).collect();
        assert_eq!((marked.as_str(), shown.to - shown.from), ("needle", 6));
        let long = super::shown(line.as_bytes(), 1, 9_000_000);
        assert_eq!((long.from, long.to), (0, WIDTH));
        let wide = "漢".repeat(2_000);
        let shown = super::shown(wide.as_bytes(), 3001, 3004);
        assert!(!shown.text.contains('\u{fffd}'), "{shown:?}");
    }
}
