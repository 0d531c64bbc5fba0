//! What could not be analysed, as text: totals first, then the rows of each kind.

use caulk_base::FxHashMap;
use caulk_finding::{Incomplete, Subject};

use crate::Style;
use crate::numbers::{count, grouped};
use crate::style::printable;

/// Rows of one kind that are shown unless all are asked for.
const SHOWN: usize = 20;

type Select = fn(&Subject) -> bool;

/// The kinds, with their name for one and for many.
const KINDS: [(Select, &str, &str); 6] = [
    (|what| matches!(what, Subject::Input), "input", "inputs"),
    (|what| matches!(what, Subject::Unit(_)), "unit", "units"),
    (|what| matches!(what, Subject::Part { .. }), "place with an error", "places with errors"),
    (|what| matches!(what, Subject::Function { .. }), "function", "functions"),
    (is_search, "search cut short", "searches cut short"),
    (|what| matches!(what, Subject::Program), "program as a whole", "programs as a whole"),
];

fn is_search(what: &Subject) -> bool {
    matches!(what, Subject::Search { .. })
}

/// `2 units, 3 functions`; empty if everything was analysed.
pub(crate) fn totals(incomplete: &[Incomplete]) -> String {
    let total = |&(select, one, many): &(Select, &str, &str)| {
        let number = incomplete.iter().filter(|row| select(&row.what)).count();
        (number > 0).then(|| count(number, one, many))
    };
    let parts: Vec<String> = KINDS.iter().filter_map(total).collect();
    parts.join(", ")
}

/// The whole section; empty if everything was analysed.
pub(crate) fn section(incomplete: &[Incomplete], style: &Style) -> String {
    if incomplete.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{} {}\n", style.warning("Not analysed:"), totals(incomplete));
    for (select, _, many) in KINDS {
        // Which searches they were matters to few; all of the input was looked at.
        let listed = |row: &&Incomplete| select(&row.what) && (style.all || !is_search(&row.what));
        let rows: Vec<&Incomplete> = incomplete.iter().filter(listed).collect();
        text += &group(&rows, many, style);
    }
    text
}

fn group(rows: &[&Incomplete], title: &str, style: &Style) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", style.heading(title));
    let lines = lines(rows, style);
    let shown = if style.all { lines.len() } else { SHOWN.min(lines.len()) };
    lines[..shown].iter().for_each(|line| text += &format!("  {line}\n"));
    if shown < lines.len() {
        let hidden = grouped(lines.len() - shown);
        text += &format!("  … and {hidden} more; --verbose lists all\n");
    }
    text
}

/// One line each; what many units run into, such as an error in a header, is said once.
fn lines(rows: &[&Incomplete], style: &Style) -> Vec<String> {
    let mut order: Vec<(String, usize)> = Vec::new();
    let mut index: FxHashMap<String, usize> = FxHashMap::default();
    for row in rows {
        let line = line(row, style);
        match index.get(&line) {
            Some(&at) => order[at].1 += 1,
            None => {
                index.insert(line.clone(), order.len());
                order.push((line, 1));
            }
        }
    }
    let repeated = |(line, times)| match times {
        1 => line,
        _ => format!("{line} ({} times)", grouped(times)),
    };
    order.into_iter().map(repeated).collect()
}

fn line(row: &Incomplete, style: &Style) -> String {
    let plain = printable(&row.to_string());
    match &row.place {
        Some(place) => {
            let place = printable(&place.to_string());
            let rest = plain.strip_prefix(&place).unwrap_or_default();
            format!("{}{rest}", style.place(&place))
        }
        None => plain,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use caulk_finding::Location;

    use super::*;

    fn part(line: u32) -> Incomplete {
        let place = Some(Location::point(Path::new("a.h"), line, 1));
        Incomplete { what: Subject::Part { unit: "a.c".into() }, place, why: "wrong".into() }
    }

    #[test]
    fn totals_are_never_hidden() {
        let rows: Vec<Incomplete> = (1..=25).map(part).collect();
        let text = section(&rows, &Style::default());
        assert!(text.contains("Not analysed: 25 places with errors\n"), "{text}");
        assert!(
            text.contains("  a.h:20:1: wrong\n  … and 5 more; --verbose lists all\n"),
            "{text}"
        );
        let all = section(&rows, &Style { all: true, ..Style::default() });
        assert!(all.contains("a.h:25:1: wrong\n") && !all.contains("more"), "{all}");
    }

    #[test]
    fn one_error_in_many_units_is_said_once() {
        let text = section(&[part(1), part(1), part(2)], &Style::default());
        assert!(text.contains("  a.h:1:1: wrong (2 times)\n  a.h:2:1: wrong\n"), "{text}");
    }

    #[test]
    fn searches_are_counted_and_listed_on_demand() {
        let what = Subject::Search { name: "f".into(), unit: "a.c".into() };
        let rows = [Incomplete { what, place: None, why: "too many paths".into() }];
        let text = section(&rows, &Style::default());
        assert_eq!(text, "\nNot analysed: 1 search cut short\n");
        let all = section(&rows, &Style { all: true, ..Style::default() });
        assert!(all.contains("  a.c: function `f`: too many paths\n"), "{all}");
    }

    #[test]
    fn nothing_to_tell_is_no_section() {
        assert_eq!(section(&[], &Style::default()), "");
    }
}
