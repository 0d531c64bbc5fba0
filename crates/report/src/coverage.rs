//! Which functions of a project were lowered, as a table.

use caulk_base::FxHashMap;
use caulk_finding::{Counts, Results, Subject};

use crate::Style;
use crate::incomplete::section;
use crate::numbers::{count, grouped};

/// Functions defined, lowered, refused and left out; with all details, per unit as well.
#[must_use]
pub fn coverage(results: &Results, style: &Style) -> String {
    let counts = results.counts();
    let mut text = totals(&counts, style);
    if style.all {
        text += &per_unit(results, style);
    }
    text += &reasons(results, style);
    text + &section(&results.incomplete, style)
}

fn totals(counts: &Counts, style: &Style) -> String {
    let needed = counts.lowered + counts.refused;
    let row = |name: &str, number: usize, note: &str| {
        format!("  {name:<8} {:>10}  {note}", grouped(number)).trim_end().to_owned() + "\n"
    };
    let rows = [
        row("defined", counts.defined(), ""),
        row("unused", counts.unused, "inline functions of headers that their unit does not use"),
        row("lowered", counts.lowered, &percent(counts.lowered, needed)),
        row("refused", counts.refused, &percent(counts.refused, needed)),
    ];
    let size = format!(
        "  {} in {}\n",
        count(counts.instructions, "instruction", "instructions"),
        count(counts.blocks, "block", "blocks")
    );
    format!("{}\n{}{size}", style.heading("Functions"), rows.concat())
}

/// Of the functions that are needed.
fn percent(number: usize, of: usize) -> String {
    match of {
        0 => String::new(),
        _ => format!("{:.2} %", 100.0 * number as f64 / of as f64),
    }
}

fn per_unit(results: &Results, style: &Style) -> String {
    let mut text = format!("\n{}\n", style.heading("Units"));
    text += &format!("  {:>8} {:>8} {:>8} {:>8}\n", "defined", "lowered", "refused", "unused");
    for unit in &results.units {
        let counts = &unit.counts;
        let numbers = [counts.defined(), counts.lowered, counts.refused, counts.unused];
        numbers.iter().for_each(|number| text += &format!(" {number:>8}"));
        text += &format!("  {}\n", unit.path);
    }
    text
}

/// How often each reason refused a function, the commonest first.
fn reasons(results: &Results, style: &Style) -> String {
    let mut tally: FxHashMap<&str, usize> = FxHashMap::default();
    for row in &results.incomplete {
        if let Subject::Function { .. } = row.what {
            *tally.entry(&row.why).or_default() += 1;
        }
    }
    if tally.is_empty() {
        return String::new();
    }
    let mut rows: Vec<(&str, usize)> = tally.into_iter().collect();
    rows.sort_by_key(|&(why, number)| (std::cmp::Reverse(number), why));
    let rows: String =
        rows.iter().map(|(why, number)| format!("  {:>8}  {why}\n", grouped(*number))).collect();
    format!("\n{}\n{rows}", style.heading("Reasons for refusing"))
}

#[cfg(test)]
mod tests {
    use caulk_finding::{Incomplete, UnitRow, UnitState};

    use super::*;

    #[test]
    fn the_table_adds_up() {
        let counts = Counts {
            lowered: 7,
            refused: 2,
            unused: 1,
            blocks: 8,
            instructions: 90,
            ..Counts::default()
        };
        let units = vec![UnitRow { path: "a.c".into(), state: UnitState::Partial, counts }];
        let what = |name: &str| Subject::Function { name: name.into(), unit: "a.c".into() };
        let why = || "complex numbers".to_owned();
        let refused = |name| Incomplete { what: what(name), place: None, why: why() };
        let incomplete = vec![refused("f"), refused("g")];
        let results = Results { units, incomplete, ..Results::default() };
        let text = coverage(&results, &Style::default());
        assert!(text.contains("  defined          10\n"), "{text}");
        assert!(text.contains("  refused           2  22.22 %\n"), "{text}");
        assert!(text.contains("  90 instructions in 8 blocks\n"), "{text}");
        assert!(text.contains("         2  complex numbers\n"), "{text}");
        assert!(text.contains("  a.c: function `f`: complex numbers\n"), "{text}");
        assert!(!text.contains("\nUnits\n"), "{text}");
    }
}
