//! The page `docs/results/coverage.md`.

use super::run::Row;
use super::text::Coverage;
use super::{is_met, refusals_are_rare};
use crate::table::{Table, grouped};
use crate::tools::{commit, compiler_version, today};
use std::path::Path;

const HEAD: &str = "\
# Coverage of the corpus

Which functions of the programs in `lab/corpus.toml` become verified ir. A unit is one compilation;
an inline function of a header counts in each unit that defines it, and is left out (*unused*)
where the unit does not use it. Repeat with `cargo xtask coverage --all`.
";

/// The whole page.
pub fn page(checkout: &Path, rows: &[Row]) -> Result<String, String> {
    let (date, commit, gcc) = (today()?, commit(checkout)?, compiler_version("gcc")?);
    Ok(format!("{HEAD}\n{date}, caulk {commit}, {gcc}.\n\n{}", body(rows)))
}

/// The table, what is wrong, and whether the bars are met.
pub fn body(rows: &[Row]) -> String {
    let mut text = table(rows) + "\n";
    text += &format!(
        "Bars (every unit that gcc accepts, and refused < 1 in 10,000): {}.\n",
        verdict(rows)
    );
    text += &list("Errors", rows, Row::unexplained);
    text += &list("Units that gcc rejects as well", rows, |row| &row.rejected);
    text + &list("Refused functions", rows, |row| &row.coverage.refusals)
}

fn verdict(rows: &[Row]) -> &'static str {
    match (is_met(rows), refusals_are_rare(rows)) {
        (true, _) => "met",
        (false, true) => "not met, there are errors",
        (false, false) => "not met, too many functions are refused",
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new([
        "program",
        "units",
        "functions",
        "lowered",
        "refused",
        "unused",
        "instructions",
        "errors",
    ]);
    let mut total = [0; 7];
    for row in rows {
        let numbers = numbers(&row.coverage);
        total.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        table.row(cells(&row.name, numbers));
    }
    table.row(cells("all", total));
    table.text()
}

fn numbers(coverage: &Coverage) -> [usize; 7] {
    let Coverage { units, defined, lowered, refused, unused, instructions, errors, .. } = coverage;
    [*units, *defined, *lowered, *refused, *unused, *instructions, errors.len()]
}

fn cells(name: &str, numbers: [usize; 7]) -> Vec<String> {
    std::iter::once(name.to_string()).chain(numbers.map(grouped)).collect()
}

/// A section with the rows of all programs; nothing if there are none.
fn list(title: &str, rows: &[Row], select: impl Fn(&Row) -> &[String]) -> String {
    let of_row = |row: &Row| {
        let lines = select(row).iter().map(|line| format!("- {}: {line}\n", row.name));
        lines.collect::<String>()
    };
    let lines: String = rows.iter().map(of_row).collect();
    if lines.is_empty() { lines } else { format!("\n## {title}\n\n{lines}") }
}
