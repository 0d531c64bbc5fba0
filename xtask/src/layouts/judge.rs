//! What gcc's errors say about assertions, one in each line of the file it compiled.
//!
//! Records of inner scopes and names hidden by others cannot be asked for at the end of a file.
//! gcc says so in words of its own, and may call an assertion failed that names what it has
//! already complained about.

use std::collections::{BTreeMap, BTreeSet};

/// Errors that say that the end of the file does not see what the assertion asks for.
const NOT_VISIBLE: &[&str] =
    &["incomplete type", "undeclared", "has no member", "undefined type", "unknown type name"];

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub not_visible: usize,
    /// The assertions that are false.
    pub mismatches: Vec<String>,
    /// Errors that are neither, those in the unit itself included.
    pub unclear: Vec<String>,
}

/// Judges the errors of a compiler on `text`, which it knows as `name`.
pub fn judge(text: &str, name: &str, errors: &str) -> Verdict {
    let mut verdict = Verdict::default();
    let mut by_line: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for line in errors.lines() {
        let Some((place, message)) = line.split_once("error: ") else { continue };
        match line_in(place, name) {
            Some(number) => by_line.entry(number).or_default().push(message),
            None => verdict.unclear.push(line.to_string()),
        }
    }
    let unknown = unknown_names(by_line.values().flatten());
    for (&number, messages) in &by_line {
        let assertion = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
        let has_unknown = words(assertion).any(|word| unknown.contains(word));
        let is_failure = |message: &&str| message.starts_with("static assertion failed");
        if has_unknown || messages.iter().any(|m| NOT_VISIBLE.iter().any(|n| m.contains(n))) {
            verdict.not_visible += 1;
        } else if messages.iter().all(is_failure) {
            verdict.mismatches.push(assertion.to_string());
        } else {
            verdict.unclear.push(format!("{}: {assertion}", messages.join(", ")));
        }
    }
    verdict
}

/// The line of a place such as `file.c:3:4: ` or `file.c:3:4: fatal `, if it is in that file.
fn line_in(place: &str, name: &str) -> Option<usize> {
    place.strip_prefix(name)?.strip_prefix(':')?.split(':').next()?.parse().ok()
}

/// Names that the compiler told it does not know; it tells each only once.
fn unknown_names<'a>(messages: impl Iterator<Item = &'a &'a str>) -> BTreeSet<&'a str> {
    let is_unknown = |m: &&&str| m.contains("undeclared") || m.contains("unknown type name");
    messages.filter(is_unknown).filter_map(|message| message.split('\'').nth(1)).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include \"/s/a.c\"\n\
        _Static_assert(sizeof(struct a) == 8, \"sizeof(struct a)\");\n\
        _Static_assert(sizeof(t) == 4, \"sizeof(t)\");\n\
        _Static_assert(_Alignof(t) == 4, \"_Alignof(t)\");\n";

    fn check(errors: &str) -> Verdict {
        judge(TEXT, "/t/0.c", errors)
    }

    #[test]
    fn a_false_assertion_is_a_mismatch() {
        let found = check("/t/0.c:2:1: error: static assertion failed: \"sizeof(struct a)\"\n");
        assert_eq!(found.mismatches, [TEXT.lines().nth(1).unwrap()]);
        assert_eq!((found.not_visible, found.unclear.len()), (0, 0));
    }

    #[test]
    fn unknown_names_are_not_visible_wherever_they_stand() {
        let found = check(
            "/t/0.c:2:22: error: invalid application of 'sizeof' to incomplete type 'struct a'\n\
             /t/0.c:3:23: error: 't' undeclared here (not in a function)\n\
             /t/0.c:4:1: error: static assertion failed: \"_Alignof(t)\"\n",
        );
        assert_eq!(found, Verdict { not_visible: 3, ..Verdict::default() });
    }

    #[test]
    fn other_errors_are_told() {
        let found = check("/s/a.c:9:1: error: expected ';'\n/t/0.c:2:1: error: odd\nnote: x\n");
        assert_eq!(found.unclear.len(), 2);
        assert_eq!(found.unclear[0], "/s/a.c:9:1: error: expected ';'");
        assert!(found.unclear[1].starts_with("odd: _Static_assert"));
        assert_eq!(check(""), Verdict::default());
    }
}
