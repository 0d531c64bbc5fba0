//! `cargo xtask bench symbolic`: how the work of the symbolic engine grows with the nesting of loops
//! and with the number of branches (Y1–Y6), on functions that are made for it.
//!
//! Steps are the engine's own count and the same on every machine; times are processor time of the
//! engine alone, for one of several equal functions.

use crate::corpus::run::captured;
use crate::show;
use crate::table::{Table, grouped};
use crate::tools::{Scratch, build_caulk, commit, today, write_result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode};

const RECORD: &str = "symbolic-growth.json";
const PAGE: &str = "symbolic-growth.md";
/// Equal functions in one file, so that a short time can be measured.
const COPIES: usize = 20;
const SHAPES: [Shape; 3] = [
    Shape { name: "nested loops", sizes: &[1, 2, 3, 4, 5, 6], text: nested },
    Shape { name: "branches in a row", sizes: &[1, 2, 4, 8, 16, 32, 64], text: branches },
    Shape { name: "branches in a loop", sizes: &[1, 2, 4, 8, 16, 32], text: looped_branches },
];
const HEAD: &str = "\
# Growth of the symbolic engine

How much the [symbolic engine](../engines/symbolic.md) works on one function, by the depth of its loops and
by the number of its branches; `cargo xtask bench symbolic` repeats it. Each function allocates, and loses
what it allocates on some way. *Steps* are the engine's own count, the same on every machine; *ms* is its
processor time, on a machine that did other work; *decided* tells whether the condition of the loss was
computed completely, or what the engine did instead: at its budget it gives the function up, and says so.
";

struct Shape {
    name: &'static str,
    sizes: &'static [usize],
    text: fn(&str, usize) -> String,
}

#[derive(Serialize, Deserialize)]
struct Record {
    date: String,
    commit: String,
    rows: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    shape: String,
    size: usize,
    /// Of one function.
    steps: u64,
    milliseconds: f64,
    /// Of all copies.
    decided: u64,
    given_up: u64,
    findings: u64,
}

pub fn main(checkout: &Path) -> Result<ExitCode, String> {
    let caulk = build_caulk(checkout)?;
    let commit = commit(checkout)?;
    let mut rows = Vec::new();
    for shape in &SHAPES {
        for &size in shape.sizes {
            rows.push(measure(&caulk, shape, size)?);
        }
    }
    let record = Record { date: today()?, commit, rows };
    show(&table(&record));
    let json = serde_json::to_string_pretty(&record).map_err(|e| e.to_string())?;
    write_result(checkout, RECORD, &(json + "\n"))?;
    let Record { date, commit, .. } = &record;
    write_result(
        checkout,
        PAGE,
        &format!("{HEAD}\n{date}, caulk {commit}.\n\n{}", table(&record)),
    )?;
    Ok(ExitCode::SUCCESS)
}

fn measure(caulk: &Path, shape: &Shape, size: usize) -> Result<Row, String> {
    let scratch = Scratch::new("bench-symbolic")?;
    let file = scratch.file("shape.c");
    let functions: String =
        (0..COPIES).map(|copy| (shape.text)(&format!("f{copy}"), size)).collect();
    let text = format!("#include <stdlib.h>\n{functions}");
    std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut stats = Command::new(caulk);
    stats.args(["stats", "--engine", "symbolic", "--format", "json", "--no-cache", "-j1"]);
    let told: Value =
        serde_json::from_str(&captured(stats.arg(&file))?).map_err(|e| e.to_string())?;
    let counts = &told["counts"]["Symbolic evaluation (Y1–Y6)"];
    let count = |name: &str| counts[name].as_u64().ok_or(format!("caulk tells no `{name}`"));
    let is_engine = |stage: &&Value| stage["name"] == "symbolic engine";
    let stage = told["stages"].as_array().and_then(|rows| rows.iter().find(is_engine));
    let seconds = stage.and_then(|row| row["processor_seconds"].as_f64());
    Ok(Row {
        shape: shape.name.to_string(),
        size,
        steps: count("steps")? / COPIES as u64,
        milliseconds: seconds.ok_or("caulk tells no time of its engine")? * 1e3 / COPIES as f64,
        decided: count("functions decided completely")?,
        given_up: count("functions given up")?,
        findings: count("findings")?,
    })
}

fn table(record: &Record) -> String {
    let mut table = Table::new(["shape", "size", "steps", "ms", "decided"]);
    for row in &record.rows {
        let copies = COPIES as u64;
        let decided = match (row.decided, row.given_up, row.findings) {
            (decided, _, _) if decided == copies => "completely",
            (_, given_up, _) if given_up == copies => "given up",
            (_, _, findings) if findings >= copies => "in part, found",
            _ => "in part",
        };
        let steps = usize::try_from(row.steps).unwrap_or(usize::MAX);
        table.row(vec![
            row.shape.clone(),
            row.size.to_string(),
            grouped(steps),
            format!("{:.2}", row.milliseconds),
            decided.to_string(),
        ]);
    }
    table.text()
}

fn parameters(count: usize) -> String {
    let one = |number: usize| format!("int n{number}");
    (0..count).map(one).collect::<Vec<_>>().join(", ")
}

/// The innermost of `depth` loops overwrites what its last turn made.
fn nested(name: &str, depth: usize) -> String {
    let head = |at: usize| format!("    for (int i{at} = 0; i{at} < n{at}; i{at}++)\n");
    let loops: String = (0..depth).map(head).collect();
    format!(
        "void {name}({})\n{{\n    char *last = NULL;\n{loops}        last = malloc(8);\n    \
         free(last);\n}}\n",
        parameters(depth)
    )
}

/// `count` branches that do not end the function, and one return that forgets.
fn branches(name: &str, count: usize) -> String {
    let branch = |at: usize| format!("    if (n{at} > {at})\n        x += {};\n", at + 1);
    let rows: String = (0..count).map(branch).collect();
    format!(
        "int {name}({})\n{{\n    int x = 0;\n    char *p = malloc(8);\n{rows}    if (x == 1)\n        \
         return x;\n    free(p);\n    return x;\n}}\n",
        parameters(count)
    )
}

/// The same branches, in every turn of a loop.
fn looped_branches(name: &str, count: usize) -> String {
    let branch = |at: usize| format!("        if (i > {at})\n            x += {};\n", at + 1);
    let rows: String = (0..count).map(branch).collect();
    format!(
        "int {name}(int n)\n{{\n    int x = 0;\n    char *p = malloc(8);\n    \
         for (int i = 0; i < n; i++) {{\n{rows}    }}\n    if (n > 9)\n        return x;\n    \
         free(p);\n    return x;\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_of_their_size() {
        assert_eq!(nested("f", 3).matches("for (").count(), 3);
        assert_eq!(branches("f", 5).matches("if (").count(), 6);
        assert_eq!(looped_branches("f", 4).matches("if (i").count(), 4);
    }
}
