//! C text around a call: enough to know whether it is a statement of its own, and what is before.

use super::releases::LineColumn;

/// A call that is a whole statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Bytes of the text, the semicolon included.
    pub start: usize,
    pub end: usize,
    /// It is the only statement of an `if`, `else` or loop: more need braces.
    pub is_bare: bool,
    /// The argument, if there is one and it can be assigned to and evaluated twice.
    pub place: Option<String>,
    /// The byte of the closing brace of an `if` block that ends right before the statement.
    pub block_before: Option<usize>,
}

/// The statement of a call of `callee` at these places; none if the call is a part of something.
pub fn statement(text: &str, callee: &str, from: LineColumn, to: LineColumn) -> Option<Statement> {
    let (start, call_end) = (offset(text, from)?, offset(text, to)?);
    let call = text.get(start..call_end)?;
    let inside = call.strip_prefix(callee)?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    let after = text[call_end..].find(|c: char| !c.is_whitespace())?;
    let end = call_end + after + 1;
    if !text[call_end + after..].starts_with(';') {
        return None;
    }
    let before = text[..start].trim_end();
    let is_bare = match before.chars().next_back()? {
        '{' | '}' | ';' => false,
        ')' | ':' => true,
        _ if before.ends_with("else") => true,
        _ if before.ends_with("*/") => false,
        _ => return None,
    };
    let place = is_place(inside.trim()).then(|| inside.trim().to_string());
    Some(Statement { start, end, is_bare, place, block_before: block_before(before) })
}

/// The byte of a place.
fn offset(text: &str, (line, column): LineColumn) -> Option<usize> {
    let before: usize =
        text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let at = before + column.checked_sub(1)? as usize;
    text.is_char_boundary(at).then_some(at)
}

/// Names, members and constant elements: no call, no step, nothing that changes anything.
fn is_place(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    let plain = text.replace("->", ".");
    !plain.is_empty()
        && plain.chars().all(is_part)
        && plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The closing brace of an `if` block at the end of `before`.
fn block_before(before: &str) -> Option<usize> {
    let brace = before.strip_suffix('}')?.len();
    let open = opening(&before[..brace], '{', '}')?;
    let condition = before[..open].trim_end().strip_suffix(')')?;
    let paren = opening(condition, '(', ')')?;
    let word = condition[..paren].trim_end();
    let is_if = word.ends_with("if")
        && !word[..word.len() - 2].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    is_if.then_some(brace)
}

/// Where the bracket opens that is still open at the end of the text. Text with brackets in
/// literals may mislead it; then the mutant does not compile, or says something else than meant
/// and is told apart by its run.
fn opening(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statement at the first `free(` of a text on one line.
    fn at_free(text: &str) -> Option<Statement> {
        let start = text.find("free(").unwrap();
        let end = start + text[start..].find(')').unwrap() + 1;
        statement(text, "free", (1, start as u32 + 1), (1, end as u32 + 1))
    }

    #[test]
    fn statements_are_told_from_parts() {
        let plain = at_free("{ x(); free(p) ; }").unwrap();
        assert_eq!((plain.start, plain.end, plain.is_bare), (7, 16, false));
        assert_eq!(plain.place.as_deref(), Some("p"));
        assert!(at_free("if (p) free(p);").unwrap().is_bare);
        assert!(at_free("else free(p);").unwrap().is_bare);
        assert!(at_free("x = (1, free(p));").is_none());
        assert!(at_free("y, free(p);").is_none());
    }

    #[test]
    fn only_places_can_be_overwritten() {
        for text in ["p", "a->b.c", "list[3]", "rows[i]"] {
            assert!(is_place(text), "{text}");
        }
        for text in ["pop()", "p++", "*p", "a + 1", "", "(void *)p"] {
            assert!(!is_place(text), "{text}");
        }
    }

    #[test]
    fn an_if_block_before_is_found() {
        let text = "{ if (a) { b(); } free(p); }";
        assert_eq!(at_free(text).unwrap().block_before, Some(16));
        assert_eq!(at_free("{ while (a) { b(); } free(p); }").unwrap().block_before, None);
        assert_eq!(at_free("{ b(); free(p); }").unwrap().block_before, None);
        assert_eq!(at_free("{ elif (a) { b(); } free(p); }").unwrap().block_before, None);
    }

    #[test]
    fn places_are_bytes_of_lines() {
        assert_eq!(offset("ab\ncd\n", (2, 2)), Some(4));
        assert_eq!(offset("ab", (0, 1)), None);
        assert_eq!(offset("ab", (1, 9)), None);
    }
}
