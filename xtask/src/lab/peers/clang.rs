//! Clang's analyser, with the checkers for memory and streams.

use super::bench::{Bench, Examined};
use super::job::{Job, OUTPUT, Told};
use super::{Peer, command};
use crate::corpus::Entry;
use crate::lab::findings::{Finding, Kind};
use crate::lab::sarif::{self, Place, Reported};
use crate::tools::compiler_version;
use std::ffi::OsString;
use std::path::Path;

pub const CLANG: &str = "clang-19";

pub struct Clang;

impl Peer for Clang {
    fn name(&self) -> &str {
        "clang"
    }

    fn version(&self) -> Result<String, String> {
        compiler_version(CLANG).map_err(|e| format!("{e} (apt-get install {CLANG})"))
    }

    fn examine(&self, bench: &Bench) -> Result<Examined, String> {
        let versions = format!("{} {}", self.version()?, bench.program.version);
        bench.each_unit(|unit| job(unit, &versions), parse, |_| false)
    }
}

/// `core` finds nothing that counts, but without it the other checkers misunderstand C.
fn job(unit: &Entry, versions: &str) -> Job {
    let mut arguments = command::for_clang(unit, Path::new(&unit.file));
    let analysis = [
        "--analyze",
        "--analyzer-no-default-checks",
        "-Xanalyzer",
        "-analyzer-checker=core,unix.Malloc,unix.Stream",
        "--analyzer-output",
        "sarif",
        "-o",
        OUTPUT,
    ];
    arguments.extend(analysis.map(OsString::from));
    Job {
        program: CLANG.into(),
        arguments,
        folder: (&unit.directory).into(),
        told: Told::Output,
        versions: versions.into(),
    }
}

fn kind(rule: &str, message: &str) -> Option<Kind> {
    match rule {
        "unix.Malloc" if message.contains("leak") => Some(Kind::Leak),
        "unix.Malloc" if message.contains("free released memory") => Some(Kind::DoubleFree),
        "unix.Stream" if message.contains("leak") => Some(Kind::ResourceLeak),
        _ => None,
    }
}

fn parse(told: &str) -> Vec<Finding> {
    sarif::read(told).into_iter().filter_map(finding).collect()
}

fn finding(reported: Reported) -> Option<Finding> {
    let is_allocation = |(message, _): &&(String, Place)| {
        ["Memory is allocated", "Stream opened here"].contains(&message.as_str())
    };
    let kind = kind(&reported.rule, &reported.message)?;
    Some(Finding {
        kind,
        resource: Some(kind.usual_resource().into()),
        confidence: None,
        allocation_line: reported.line_of(reported.steps.iter().rfind(is_allocation)),
        line: reported.place.line,
        file: reported.place.file,
        function: None,
        message: reported.message,
    })
}

#[cfg(test)]
mod tests {
    use super::super::command::tests::entry;
    use super::*;

    const TOLD: &str = include_str!("recorded/clang.sarif");

    #[test]
    fn a_recorded_output_is_read() {
        let found = parse(TOLD);
        let short: Vec<_> = found.iter().map(|f| (f.line, f.kind, f.allocation_line)).collect();
        let expected = [
            (3, Kind::Leak, Some(3)),
            (4, Kind::DoubleFree, Some(4)),
            (5, Kind::ResourceLeak, Some(5)),
            (6, Kind::Leak, Some(6)),
        ];
        assert_eq!(short, expected);
        assert_eq!(found[0].file, "/src/t.c");
        assert!(parse("").is_empty());
    }

    #[test]
    fn only_the_checkers_that_count_are_on() {
        let job = job(&entry("gcc -flto -c a.c -o a.o"), "1");
        assert_eq!(job.arguments[0], "a.c");
        assert!(job.arguments.iter().any(|word| word == "--analyzer-no-default-checks"));
        assert_eq!(kind("unix.Malloc", "Use of memory after it is released"), None);
    }
}
