//! cppcheck, with the unit's macros and search folders.

use super::bench::{Bench, Examined};
use super::job::{Job, Told};
use super::{Peer, command};
use crate::corpus::Entry;
use crate::corpus::run::captured;
use crate::lab::findings::{Finding, Kind};
use std::ffi::OsString;
use std::process::Command;

const TOOL: &str = "cppcheck";
/// A tab between what is needed; a tab in a message does no harm, it is last.
const TEMPLATE: &str = "--template={file}\\t{line}\\t{id}\\t{message}";

pub struct Cppcheck;

impl Peer for Cppcheck {
    fn name(&self) -> &str {
        TOOL
    }

    fn version(&self) -> Result<String, String> {
        let version = captured(Command::new(TOOL).arg("--version"));
        let version = version.map_err(|e| format!("{e} (apt-get install {TOOL})"))?;
        Ok(version.trim().to_string())
    }

    fn examine(&self, bench: &Bench) -> Result<Examined, String> {
        let versions = format!("{} {}", self.version()?, bench.program.version);
        bench.each_unit(|unit| job(unit, &versions), parse, gave_up)
    }
}

/// Errors only, which is what leaks and double frees are to cppcheck.
fn job(unit: &Entry, versions: &str) -> Job {
    let fixed = ["--quiet", "--language=c", "--platform=unix64", "--library=posix,gnu", TEMPLATE];
    let mut arguments: Vec<OsString> = fixed.map(OsString::from).to_vec();
    arguments.extend(command::preprocessing(unit).iter().map(translated));
    arguments.push((&unit.file).into());
    Job {
        program: TOOL.into(),
        arguments,
        folder: (&unit.directory).into(),
        told: Told::Stderr,
        versions: versions.into(),
    }
}

fn translated((option, value): &(String, String)) -> OsString {
    match option.as_str() {
        "-include" => format!("--include={value}"),
        "-D" | "-U" => format!("{option}{value}"),
        _ => format!("-I{value}"),
    }
    .into()
}

fn kind(id: &str) -> Option<Kind> {
    Some(match id {
        "memleak"
        | "memleakOnRealloc"
        | "leakReturnValNotUsed"
        | "leakNoVarFunctionCall"
        | "leakUnsafeArgAlloc" => Kind::Leak,
        "doubleFree" => Kind::DoubleFree,
        "resourceLeak" => Kind::ResourceLeak,
        _ => return None,
    })
}

/// Errors after which cppcheck does not look at the unit any further, though it ends well.
const GIVING_UP: &[&str] = &[
    "syntaxError",
    "unknownMacro",
    "preprocessorErrorDirective",
    "internalAstError",
    "internalError",
    "cppcheckError",
];

fn gave_up(told: &str) -> bool {
    let id = |line: &str| line.split('\t').nth(2).map(String::from);
    told.lines().filter_map(id).any(|id| GIVING_UP.contains(&id.as_str()))
}

fn parse(told: &str) -> Vec<Finding> {
    told.lines().filter_map(finding).collect()
}

fn finding(text: &str) -> Option<Finding> {
    let mut columns = text.splitn(4, '\t');
    let (file, line, id, message) =
        (columns.next()?, columns.next()?, columns.next()?, columns.next()?);
    Some(Finding {
        file: file.into(),
        line: line.parse().ok()?,
        kind: kind(id)?,
        function: None,
        message: message.into(),
        allocation_line: None,
        // Its leaked resources are streams and descriptors alike.
        resource: None,
        confidence: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::command::tests::entry;
    use super::*;

    const TOLD: &str = include_str!("recorded/cppcheck.txt");

    #[test]
    fn a_recorded_output_is_read() {
        let found = parse(TOLD);
        let short: Vec<_> = found.iter().map(|f| (f.file.as_str(), f.line, f.kind)).collect();
        let expected = [
            ("t.c", 3, Kind::Leak),
            ("t.c", 4, Kind::DoubleFree),
            ("t.c", 5, Kind::ResourceLeak),
            ("t.c", 6, Kind::Leak),
        ];
        assert_eq!(short, expected);
        assert_eq!(found[0].message, "Memory leak: p");
    }

    #[test]
    fn a_unit_that_was_given_up_is_known() {
        assert!(!gave_up(TOLD));
        assert!(gave_up("a.c\t3\tunknownMacro\tThere is an unknown macro here.\n"));
    }

    #[test]
    fn flags_are_translated() {
        let job = job(&entry("gcc -isystem s -DA -include c.h -O2 -c a.c"), "1");
        let last: Vec<_> = job.arguments[5..].iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(last, ["-Is", "-DA", "--include=c.h", "a.c"]);
    }
}
