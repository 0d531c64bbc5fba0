//! `cargo xtask lab engine E PROGRAM…`: what an engine of caulk reports, recorded as `caulk-E` in
//! the form of all tools.

use super::findings::{Finding, Findings, Kind, relative};
use super::sarif::{self, Reported};
use crate::corpus::{self, Ready};
use crate::measure::Measurement;
use crate::tools::{Scratch, build_caulk, commit, today};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{ExitCode, Stdio};

/// Runs `cargo xtask lab engine` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let (engine, names) = arguments.split_first().ok_or_else(super::usage)?;
    if names.is_empty() {
        return Err(super::usage());
    }
    let caulk = build_caulk(checkout)?;
    for program in &corpus::choose(checkout, names)?.programs {
        let measured = record(&caulk, program, engine)?;
        let findings = Findings { commit: commit(checkout)?, date: today()?, ..measured };
        eprintln!("{}: {} findings", program.name, findings.findings.len());
        findings.write(checkout)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Commit and date are left to the caller.
fn record(caulk: &Path, program: &Ready, engine: &str) -> Result<Findings, String> {
    let scratch = Scratch::new("lab-engine")?;
    let report = scratch.file("report.sarif");
    let source = program.folder.join("source");
    let mut measurement =
        Measurement::of(caulk, scratch.file("figures.json")).map_err(|e| e.to_string())?;
    let command = &mut measurement.command;
    command.args(["check", "--no-config", "--no-cache", "--quiet", "--engine", engine]);
    command.args(["--format", "sarif", "-o"]);
    command.arg(&report).arg("-p").arg(&program.folder).current_dir(&source);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let usage = measurement.run()?;
    if !matches!(usage.exit_code, 0 | 1 | 3) {
        return Err(format!("{}: caulk ended with {}", program.name, usage.exit_code));
    }
    let text = std::fs::read_to_string(&report).map_err(|e| format!("caulk's report: {e}"))?;
    Ok(Findings {
        tool: format!("caulk-{engine}"),
        version: env!("CARGO_PKG_VERSION").into(),
        program: program.name.clone(),
        program_version: program.version.clone(),
        commit: String::new(),
        date: String::new(),
        command: format!("cargo xtask lab engine {engine} {}", program.name),
        missing: None,
        units: program.units.len(),
        of_units: program.units.len(),
        timed_out: 0,
        failed: 0,
        cpu_seconds: usage.cpu_seconds(),
        wall_seconds: usage.wall.as_secs_f64(),
        peak_kib: usage.peak_memory >> 10,
        findings: parse(&text, &source),
    })
}

/// Each once, with files relative to the sources.
fn parse(text: &str, source: &Path) -> Vec<Finding> {
    let found: BTreeSet<Finding> =
        sarif::read(text).into_iter().filter_map(|reported| finding(reported, source)).collect();
    found.into_iter().collect()
}

/// The first step of a witness is the allocation.
fn finding(reported: Reported, source: &Path) -> Option<Finding> {
    Some(Finding {
        kind: kind(&reported.rule)?,
        allocation_line: reported.line_of(reported.steps.first()),
        file: relative(source, source, &reported.place.file),
        line: reported.place.line,
        function: reported.function,
        message: reported.message,
    })
}

/// From caulk's rules, for instance `leak/some-path`.
fn kind(rule: &str) -> Option<Kind> {
    match rule.split('/').next()? {
        "leak" => Some(Kind::Leak),
        "double-free" => Some(Kind::DoubleFree),
        "resource-leak" => Some(Kind::ResourceLeak),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"runs":[{"results":[{"ruleId":"leak/some-path",
        "message":{"text":"lost"},
        "locations":[{"physicalLocation":{"artifactLocation":{"uri":"lib/a%20b.c"},
            "region":{"startLine":9}},"logicalLocations":[{"name":"f","kind":"function"}]}],
        "codeFlows":[{"threadFlows":[{"locations":[{"location":{"physicalLocation":
            {"artifactLocation":{"uri":"lib/a%20b.c"},"region":{"startLine":4}},
            "message":{"text":"allocated here"}}}]}]}]},
        {"ruleId":"other","message":{"text":"x"},"locations":[{"physicalLocation":
            {"artifactLocation":{"uri":"a.c"},"region":{"startLine":1}}}]}]}]}"#;

    #[test]
    fn a_report_of_caulk_is_read() {
        let found = parse(LOG, Path::new("/c/tar/source"));
        let expected = Finding {
            file: "lib/a b.c".into(),
            line: 9,
            kind: Kind::Leak,
            function: Some("f".into()),
            message: "lost".into(),
            allocation_line: Some(4),
        };
        assert_eq!(found, [expected]);
    }
}
