//! The page `docs/results/execution.md`, and whether all is as it should be.

use super::Row;
use super::failures::Injection;
use super::run::Comparison;
use super::speed::{Figures, LEAST_SPEED, MOST_MEMORY};
use super::suite::Exceptions;
use crate::table::{Table, grouped};
use crate::tools::{commit, compiler_version, today};
use std::path::Path;

const HEAD: &str = "\
# Execution of real programs

Programs of `lab/corpus.toml`, each built by `gcc -O0` and run by `caulk run` from the same sources
and the same flags. A case is equal if standard output, standard error and exit status are.
`suites/programs` has the cases and their inputs; what may differ stands in its `exceptions.txt`.
Repeat with `cargo xtask execution`.
";

const FAILURES: &str = "
## Failing allocations

In turn, each allocation of a case returns NULL: natively in a wrapper around malloc, calloc,
realloc and strdup, interpreted by `--fail-alloc`. Only calls of the program's own code count, and
both must count the same number. A failure is equal as a case is; or if the program does not check
for it and *crashes* both ways, natively by a signal, interpreted with a report of NULL.

";

const SPEED: &str = "
## Speed and memory

Lua's `fib`: instructions by user CPU, each the difference of a large and a trivial argument, so
that the front end does not count; the least CPU of three runs. Memory: how much the peak resident
memory grows from a Lua heap of 100,000 rows to one of 300,000, for the interpreter and for the
native program.

";

/// The text below the head, and whether everything holds.
pub struct Body {
    pub text: String,
    pub is_met: bool,
}

pub fn page(checkout: &Path, body: &Body) -> Result<String, String> {
    let (date, commit, gcc) = (today()?, commit(checkout)?, compiler_version("gcc")?);
    Ok(format!("{HEAD}\n{date}, caulk {commit}, {gcc}.\n\n{}", body.text))
}

pub fn body(rows: &[Row], exceptions: &Exceptions) -> Body {
    let unexplained = unexplained(rows, exceptions);
    let figures = rows.iter().filter_map(|row| row.figures.as_ref());
    let is_met = unexplained.is_empty() && figures.clone().all(Figures::is_met);
    let verdict = if is_met { "met" } else { "not met" };
    let mut text = cases(rows, exceptions);
    text += &format!("\nBars (nothing unexplained, speed, memory): {verdict}.\n");
    text += &list("Unexplained", unexplained);
    text += &list("Explained", explained(rows, exceptions));
    text += &list("Memory that was never set reads as zero", reads_unset(rows));
    let injections: Vec<&Injection> = rows.iter().flat_map(|row| &row.injections).collect();
    if !injections.is_empty() {
        text += FAILURES;
        text += &failures(&injections);
    }
    figures.for_each(|figures| text += &format!("{SPEED}{}", speed(figures)));
    Body { text, is_met }
}

fn cases(rows: &[Row], exceptions: &Exceptions) -> String {
    let mut table =
        Table::new(["program", "version", "cases", "equal", "explained", "instructions"]);
    for row in rows {
        let steps: u64 = row.comparisons.iter().map(|case| case.counts.instructions).sum();
        let is_explained =
            |case: &&Comparison| case.difference.is_some() && exceptions.contains_key(&case.key);
        table.row(vec![
            row.name.clone(),
            row.version.clone(),
            row.comparisons.len().to_string(),
            equal(&row.comparisons).to_string(),
            row.comparisons.iter().filter(is_explained).count().to_string(),
            grouped(steps as usize),
        ]);
    }
    table.text()
}

fn equal(comparisons: &[Comparison]) -> usize {
    comparisons.iter().filter(|case| case.difference.is_none()).count()
}

fn failures(injections: &[&Injection]) -> String {
    let mut table = Table::new([
        "case",
        "allocations, native",
        "interpreted",
        "failed in turn",
        "equal",
        "crashes",
    ]);
    for injection in injections {
        let [native, interpreted] = injection.allocations;
        let tried = injection.comparisons.len();
        let numbers = [
            native as usize,
            interpreted as usize,
            tried,
            equal(&injection.comparisons),
            injection.crashes,
        ];
        let cells = std::iter::once(injection.key.clone());
        table.row(cells.chain(numbers.map(grouped)).collect());
    }
    table.text()
}

fn speed(figures: &Figures) -> String {
    let mebibytes = |[small, large]: [u64; 2]| (large as f64 - small as f64) / f64::from(1 << 20);
    let mut table = Table::new(["what", "measured", "bar"]);
    table.row(vec![
        "million instructions per second".into(),
        format!("{:.1}", figures.speed() / 1e6),
        format!("≥ {:.0}", LEAST_SPEED / 1e6),
    ]);
    table.row(vec![
        "growth of memory, interpreter / native".into(),
        format!("{:.1}", figures.memory()),
        format!("≤ {MOST_MEMORY:.0}"),
    ]);
    let sizes = [figures.native_memory, figures.interpreter_memory, figures.held].map(mebibytes);
    let [native, interpreter, held] = sizes;
    let seconds = figures.seconds[1] - figures.seconds[0];
    let instructions = grouped((figures.instructions[1] - figures.instructions[0]) as usize);
    format!(
        "{}\n{instructions} instructions in {seconds:.2} s. Growth in MiB: native {native:.1}, \
         interpreter {interpreter:.1}, counted in its memory budget {held:.1}.\n",
        table.text()
    )
}

/// All comparisons, of failures too.
fn comparisons(rows: &[Row]) -> impl Iterator<Item = &Comparison> {
    rows.iter().flat_map(|row| {
        let failing = row.injections.iter().flat_map(|injection| &injection.comparisons);
        row.comparisons.iter().chain(failing)
    })
}

/// Differences without a reason, reasons without a difference, and counts that disagree.
fn unexplained(rows: &[Row], exceptions: &Exceptions) -> Vec<String> {
    let differing = comparisons(rows).filter_map(|case| Some((case, case.difference.as_ref()?)));
    let differing = differing.filter(|(case, _)| !exceptions.contains_key(&case.key));
    let mut lines: Vec<String> =
        differing.map(|(case, why)| format!("{}: {why}", case.key)).collect();
    let mended = comparisons(rows)
        .filter(|case| case.difference.is_none() && exceptions.contains_key(&case.key));
    lines.extend(mended.map(|case| format!("{}: no longer differs", case.key)));
    let injections = rows.iter().flat_map(|row| &row.injections);
    lines.extend(injections.filter(|injection| !injection.is_counted_alike()).map(|injection| {
        let [native, interpreted] = injection.allocations;
        let key = &injection.key;
        format!("{key}: {native} allocations natively, {interpreted} interpreted")
    }));
    lines
}

fn explained(rows: &[Row], exceptions: &Exceptions) -> Vec<String> {
    let reason = |case: &Comparison| {
        let reason = exceptions.get(&case.key).filter(|_| case.difference.is_some())?;
        Some(format!("{}: {reason}", case.key))
    };
    comparisons(rows).filter_map(reason).collect()
}

fn reads_unset(rows: &[Row]) -> Vec<String> {
    let cases = rows.iter().flat_map(|row| &row.comparisons);
    let reason = |case: &Comparison| Some(format!("{}: {}", case.key, case.reads_unset.as_ref()?));
    cases.filter_map(reason).collect()
}

/// A section; nothing if there are no lines.
fn list(title: &str, lines: Vec<String>) -> String {
    let text: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    if text.is_empty() { text } else { format!("\n## {title}\n\n{text}") }
}

#[cfg(test)]
mod tests {
    use super::super::run::Counts;
    use super::*;

    fn row(differences: &[(&str, bool)], allocations: [u64; 2]) -> Row {
        let compare = |&(key, differs): &(&str, bool)| Comparison {
            key: key.into(),
            difference: differs.then(|| "it differs".into()),
            counts: Counts::default(),
            reads_unset: None,
        };
        let injection =
            Injection { key: "p/i".into(), allocations, comparisons: Vec::new(), crashes: 0 };
        Row {
            name: "p".into(),
            version: "1".into(),
            comparisons: differences.iter().map(compare).collect(),
            injections: vec![injection],
            figures: None,
        }
    }

    #[test]
    fn only_what_is_listed_may_differ() {
        let exceptions: Exceptions = [("p/a".to_string(), "a reason".to_string())].into();
        assert!(body(&[row(&[("p/a", true), ("p/b", false)], [2, 2])], &exceptions).is_met);
        assert!(!body(&[row(&[("p/a", false)], [2, 2])], &exceptions).is_met);
        assert!(!body(&[row(&[("p/b", true)], [2, 2])], &exceptions).is_met);
        assert!(!body(&[row(&[("p/b", false)], [2, 3])], &exceptions).is_met);
    }
}
