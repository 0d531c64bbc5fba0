//! The five defects, each as edits around the statement that releases.

use super::mutant::{Edit, Plant};
use super::releases::{Gives, Release};
use super::source::Statement;

/// The edits that plant this defect; none where the source gives no occasion for it.
pub fn edits(plant: Plant, text: &str, at: &Statement, release: &Release) -> Option<Vec<Edit>> {
    let old = text.get(at.start..at.end)?;
    match plant {
        Plant::Removed => Some(vec![replaced(at, old, ";".into())]),
        Plant::UnderBranch => Some(under_branch(at, old, release)),
        Plant::EarlyReturn => {
            let leave = format!("{} {old}", early_return(release)?);
            Some(vec![replaced(at, old, braced(at, leave))])
        }
        Plant::Overwritten => {
            let place = at.place.as_ref()?;
            Some(vec![replaced(at, old, braced(at, format!("{place} = 0; {old}")))])
        }
        Plant::Duplicated => {
            at.place.as_ref()?;
            Some(vec![replaced(at, old, braced(at, format!("{old} {old}")))])
        }
    }
}

fn replaced(at: &Statement, old: &str, new: String) -> Edit {
    Edit { at: at.start, old: old.to_string(), new }
}

fn braced(at: &Statement, statements: String) -> String {
    if at.is_bare { format!("{{ {statements} }}") } else { statements }
}

/// Into the `if` block before it, or else under a condition of its own.
fn under_branch(at: &Statement, old: &str, release: &Release) -> Vec<Edit> {
    if let Some(brace) = at.block_before {
        let moved = Edit { at: brace, old: String::new(), new: format!("{old} ") };
        return vec![moved, replaced(at, old, ";".into())];
    }
    let new = match release.numbers.first() {
        Some(number) => format!("{{ if ({number} > 1) {old} }}"),
        None => format!("{{ static int turn; if (turn++ > 0) {old} }}"),
    };
    vec![replaced(at, old, new)]
}

/// A way out on a parameter, or else on the first time that control comes here.
fn early_return(release: &Release) -> Option<String> {
    let leave = match release.gives {
        Gives::Nothing => "return;",
        Gives::Scalar => "return 0;",
        Gives::Aggregate => return None,
    };
    Some(match release.numbers.first() {
        Some(number) => format!("if ({number} > 1) {leave}"),
        None => format!("{{ static int turn; if (turn++ == 0) {leave} }}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::mutate::mutant::tests::mutant;

    fn planted(plant: Plant, text: &str, gives: Gives, numbers: &[&str]) -> Option<String> {
        let start = text.find("free(").unwrap();
        let end = start + text[start..].find(')').unwrap() + 1;
        let (from, to) = ((1, start as u32 + 1), (1, end as u32 + 1));
        let at = crate::lab::mutate::source::statement(text, "free", from, to)?;
        let release = Release {
            file: "p.c".into(),
            function: "f".into(),
            callee: "free".into(),
            start: from,
            end: to,
            gives,
            numbers: numbers.iter().map(|name| name.to_string()).collect(),
        };
        mutant(edits(plant, text, &at, &release)?).apply(text).ok()
    }

    fn check(plant: Plant, text: &str, expected: &str) {
        assert_eq!(planted(plant, text, Gives::Scalar, &["n"]).as_deref(), Some(expected));
    }

    #[test]
    fn each_defect_is_planted() {
        check(Plant::Removed, "{ free(p); }", "{ ; }");
        check(Plant::UnderBranch, "{ free(p); }", "{ { if (n > 1) free(p); } }");
        check(Plant::EarlyReturn, "{ free(p); }", "{ if (n > 1) return 0; free(p); }");
        check(Plant::Overwritten, "{ free(p); }", "{ p = 0; free(p); }");
        check(Plant::Duplicated, "{ free(p); }", "{ free(p); free(p); }");
    }

    #[test]
    fn a_release_moves_into_the_block_before_it() {
        let moved = "{ if (a) { b(); free(p); } ; }";
        check(Plant::UnderBranch, "{ if (a) { b(); } free(p); }", moved);
    }

    #[test]
    fn bare_statements_get_braces() {
        check(Plant::Duplicated, "if (a) free(p);", "if (a) { free(p); free(p); }");
        check(Plant::Removed, "if (a) free(p);", "if (a) ;");
    }

    #[test]
    fn without_an_occasion_there_is_no_mutant() {
        assert_eq!(planted(Plant::Overwritten, "{ free(p + 1); }", Gives::Nothing, &[]), None);
        assert_eq!(planted(Plant::EarlyReturn, "{ free(p); }", Gives::Aggregate, &["n"]), None);
        let without = planted(Plant::EarlyReturn, "{ free(p); }", Gives::Nothing, &[]).unwrap();
        assert_eq!(without, "{ { static int turn; if (turn++ == 0) return; } free(p); }");
    }
}
