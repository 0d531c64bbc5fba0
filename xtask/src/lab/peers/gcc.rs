//! `gcc -fanalyzer`, with the unit's own compiler and flags.

use super::bench::{Bench, Examined};
use super::job::{Job, OUTPUT, Told};
use super::{Peer, command};
use crate::corpus::Entry;
use crate::lab::findings::{Finding, Kind};
use crate::tools::compiler_version;
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

pub struct Gcc;

impl Peer for Gcc {
    fn name(&self) -> &str {
        "gcc"
    }

    fn version(&self) -> Result<String, String> {
        compiler_version("gcc")
    }

    fn examine(&self, bench: &Bench) -> Result<Examined, String> {
        let versions = format!("{} {}", self.version()?, bench.program.version);
        bench.each_unit(|unit| job(unit, &versions), parse, |_| false)
    }
}

/// Down to assembly: with less, gcc does not get to its analyser.
fn job(unit: &Entry, versions: &str) -> Job {
    let mut arguments = command::bare(unit, Path::new(&unit.file));
    let analysis = ["-fanalyzer", "-fdiagnostics-format=json", "-S", "-o", OUTPUT];
    arguments.extend(analysis.map(OsString::from));
    Job {
        program: unit.arguments[0].clone().into(),
        arguments,
        folder: (&unit.directory).into(),
        told: Told::Stderr,
        versions: versions.into(),
    }
}

/// The warnings that count.
fn kind(option: &str) -> Option<Kind> {
    Some(match option {
        "-Wanalyzer-malloc-leak" => Kind::Leak,
        "-Wanalyzer-double-free" | "-Wanalyzer-double-fclose" | "-Wanalyzer-fd-double-close" => {
            Kind::DoubleFree
        }
        "-Wanalyzer-file-leak" | "-Wanalyzer-fd-leak" => Kind::ResourceLeak,
        _ => return None,
    })
}

fn resource(option: &str) -> &'static str {
    match option {
        "-Wanalyzer-file-leak" | "-Wanalyzer-double-fclose" => "file",
        "-Wanalyzer-fd-leak" | "-Wanalyzer-fd-double-close" => "descriptor",
        _ => "memory",
    }
}

fn parse(told: &str) -> Vec<Finding> {
    let arrays = told.lines().filter(|line| line.starts_with('['));
    let parsed = arrays.filter_map(|line| serde_json::from_str::<Vec<Value>>(line).ok());
    let all: Vec<Finding> =
        parsed.flatten().filter_map(|diagnostic| finding(&diagnostic)).collect();
    all.iter().filter(|found| !is_shadow(found, &all)).cloned().collect()
}

fn finding(diagnostic: &Value) -> Option<Finding> {
    let option = diagnostic["option"].as_str()?;
    let kind = kind(option)?;
    let place = &diagnostic["locations"][0]["caret"];
    let file = place["file"].as_str()?;
    let events = diagnostic["path"].as_array().map_or(&[][..], Vec::as_slice);
    let is_allocation = |event: &&Value| {
        let text = event["description"].as_str().unwrap_or_default();
        let begins = ["allocated here", "opened here"].iter().any(|begin| text.starts_with(begin));
        begins && event["location"]["file"] == file
    };
    let allocation = events.iter().find(is_allocation);
    Some(Finding {
        file: file.into(),
        line: line(place)?,
        kind,
        function: events.last().and_then(|event| event["function"].as_str()).map(String::from),
        message: diagnostic["message"].as_str()?.into(),
        allocation_line: allocation.and_then(|event| line(&event["location"])),
        resource: Some(resource(option).into()),
        confidence: None,
    })
}

fn line(place: &Value) -> Option<u32> {
    u32::try_from(place["line"].as_u64()?).ok()
}

/// gcc also calls a lost `FILE` a leak of memory, since `fopen` is declared as an allocator.
fn is_shadow(found: &Finding, all: &[Finding]) -> bool {
    let is_same_loss = |other: &&Finding| {
        let message = other.message.replace("FILE ", "");
        (&other.file, other.line, &message) == (&found.file, found.line, &found.message)
    };
    let mut resources = all.iter().filter(|other| other.kind == Kind::ResourceLeak);
    found.kind == Kind::Leak && resources.any(|other| is_same_loss(&other))
}

#[cfg(test)]
mod tests {
    use super::super::command::tests::entry;
    use super::*;

    const TOLD: &str = include_str!("recorded/gcc.json");

    #[test]
    fn a_recorded_output_is_read() {
        let found = parse(TOLD);
        let short: Vec<_> = found
            .iter()
            .map(|f| (f.line, f.kind, f.function.as_deref().unwrap(), f.allocation_line))
            .collect();
        let expected = [
            (3, Kind::Leak, "f", Some(3)),
            (4, Kind::DoubleFree, "g", Some(4)),
            (5, Kind::ResourceLeak, "h", Some(5)),
            (6, Kind::Leak, "k", Some(6)),
        ];
        assert_eq!(short, expected);
        assert_eq!(found[0].message, "leak of 'p'");
        assert!(parse("cc1: fatal error\n").is_empty());
    }

    #[test]
    fn the_unit_is_compiled_as_it_is_built() {
        let job = job(&entry("cc -DX -Wall -c a.c -o a.o"), "1");
        let expected =
            ["-DX", "a.c", "-fanalyzer", "-fdiagnostics-format=json", "-S", "-o", OUTPUT];
        assert_eq!(job.arguments, expected);
        assert_eq!((job.program.to_str(), job.told), (Some("cc"), Told::Stderr));
    }
}
