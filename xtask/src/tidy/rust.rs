//! A rough reading of Rust text: enough to search for words in code alone.
//!
//! Comments, strings and characters are replaced by spaces, line breaks excepted, so that what is
//! left has the same lines as the original. Items under `#[cfg(test)]` can be left out as well.

/// The code of a source, in two extents.
pub struct Rust {
    /// All of it.
    pub all: String,
    /// What is compiled into the library: without `#[cfg(test)]` items.
    pub library: String,
}

impl Rust {
    pub fn new(text: &str) -> Rust {
        let all = code_only(text);
        let library = without_tests(&all);
        Rust { all, library }
    }
}

/// Replaces comments, strings and characters by spaces.
fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let literal = if is_word(before) && !rest.starts_with('"') { 0 } else { literal(rest) };
        let length = if literal > 0 { literal } else { comment(rest) };
        let (piece, after) = rest.split_at(if length > 0 { length } else { c.len_utf8() });
        if length > 0 {
            blank(&mut code, piece);
        } else {
            code.push_str(piece);
        }
        before = piece.chars().next_back().unwrap_or(' ');
        rest = after;
    }
    code
}

fn blank(code: &mut String, piece: &str) {
    code.extend(piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the comment at the start of `text`, or 0.
fn comment(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if !text.starts_with("/*") {
        return 0;
    }
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of the string or character literal at the start of `text`, or 0.
fn literal(text: &str) -> usize {
    let prefix = ["br", "cr", "b", "c", "r", ""]
        .into_iter()
        .find(|p| text.strip_prefix(p).is_some_and(|rest| rest.starts_with(['"', '#', '\''])));
    let Some(prefix) = prefix else { return 0 };
    let rest = &text[prefix.len()..];
    let length = if prefix.ends_with('r') {
        raw_string(rest)
    } else if rest.starts_with('"') {
        quoted(rest, '"')
    } else if rest.starts_with('\'') {
        character(rest)
    } else {
        0
    };
    if length > 0 { prefix.len() + length } else { 0 }
}

/// The length of `#"…"#` with any number of `#`, or 0.
fn raw_string(text: &str) -> usize {
    let hashes = text.len() - text.trim_start_matches('#').len();
    if !text[hashes..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    let body = hashes + 1;
    text[body..].find(&end).map_or(text.len(), |at| body + at + end.len())
}

/// The length of a literal between quotes, with escapes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// The length of a character literal, or 0 if the quote begins a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some('\\'), _) => quoted(text, '\''),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}

/// Replaces items under `#[cfg(test)]` by spaces. `code` has no comments and strings.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut library = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        let (before, item) = rest.split_at(at);
        let (item, after) = item.split_at(MARK.len() + item_length(&item[MARK.len()..]));
        library.push_str(before);
        blank(&mut library, item);
        rest = after;
    }
    library + rest
}

/// The length of an item: to its `;`, or to the end of its braces.
fn item_length(code: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == ';' || c == '}') {
            return at + 1;
        }
    }
    code.len()
}

/// The lines (from 1) on which `word` stands, not as a part of a longer word.
pub fn lines_with(code: &str, word: &str) -> Vec<usize> {
    positions(code, word).into_iter().map(|at| line_at(code, at)).collect()
}

/// The positions at which `word` stands, not as a part of a longer word.
pub fn positions(code: &str, word: &str) -> Vec<usize> {
    let starts = word.starts_with(is_word);
    let ends = word.ends_with(is_word);
    let is_whole = |&(at, _): &(usize, &str)| {
        let before = code[..at].chars().next_back().is_some_and(is_word);
        let after = code[at + word.len()..].chars().next().is_some_and(is_word);
        !(starts && before || ends && after)
    };
    code.match_indices(word).filter(is_whole).map(|(at, _)| at).collect()
}

/// The line (from 1) of a position.
pub fn line_at(code: &str, at: usize) -> usize {
    1 + code[..at].matches('\n').count()
}

/// The paths that `use` declarations import, groups resolved, each with its line.
pub fn imports(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for at in positions(code, "use") {
        let text = code[at + "use".len()..].split(';').next().unwrap_or_default();
        let tree: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut paths = Vec::new();
        expand("", tree.trim_start_matches("::"), &mut paths);
        found.extend(paths.into_iter().map(|path| (line_at(code, at), path)));
    }
    found
}

/// Resolves `a::{b,c::{d}}` into `a::b` and `a::c::d`.
fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((head, group)) = tree.split_once('{') else {
        paths.push(format!("{prefix}{tree}"));
        return;
    };
    let group = group.strip_suffix('}').unwrap_or(group);
    for branch in split_at_commas(group) {
        expand(&format!("{prefix}{head}"), branch, paths);
    }
}

/// Splits at the commas outside braces.
fn split_at_commas(group: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    group.split(outside).filter(|branch| !branch.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank() {
        let code = code_only("a /* x /* y */ z */ b // c\nd \"e\\\"f\" 'g' '\\'' r#\"h\"i\"# 'j k");
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "b", "d", "'j", "k"]);
        assert_eq!(code_only("\"a\nb\"\nc"), "  \n  \nc");
        assert_eq!(code_only("br\"x\" var\"y\" é 'é'").trim_end(), "      var    é");
    }

    #[test]
    fn test_items_are_not_library() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { x; } }\nfn c() {}\n";
        let rust = Rust::new(text);
        assert!(rust.all.contains('b'));
        assert!(!rust.library.contains('b') && rust.library.contains("fn c"));
        assert_eq!(lines_with(&rust.library, "c"), [4]);
        let rust = Rust::new("#[cfg(test)]\nmod tests;\nfn a() {}");
        assert_eq!(rust.library.trim(), "fn a() {}");
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(lines_with("eprintln!()\nprintln!()", "println!"), [2]);
        assert_eq!(lines_with("x.is_file()", ".is_file("), [1]);
    }

    #[test]
    fn groups_of_imports_are_resolved() {
        let found = imports("use std::{fs, io::{self, Read},};\npub use a::b as c;");
        let found: Vec<_> = found.iter().map(|(line, path)| (*line, path.as_str())).collect();
        assert_eq!(
            found,
            [(1, "std::fs"), (1, "std::io::self"), (1, "std::io::Read"), (2, "a::basc")]
        );
    }
}
