//! `cargo xtask lab peers` and `cargo xtask lab engine`: other analysers, and caulk's engines in the
//! same way, on the units of corpus programs, for leaks, double frees and resource leaks only.
//!
//! Each peer turns a unit into a job (`job`), a job runs under limits and is kept beside the corpus
//! (`bench`), and what it told is read into the form that all tools share. SVF and caulk differ: they
//! want a whole program, see `svf` and `caulk`.

mod bench;
pub mod caulk;
mod clang;
mod command;
mod cppcheck;
mod gcc;
mod job;
mod svf;

use super::findings::Findings;
use super::options::Options;
use super::subject::{self, Subject};
use crate::corpus;
use crate::table::Table;
use crate::tools::{build_caulk, commit, today};
use crate::{process_tree::Limits, show};
pub use bench::{Bench, Examined};
use caulk::Caulk;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// For one unit, unless told otherwise.
const SECONDS: u64 = 60;
/// For each process; the lab is to run on machines with 8 GiB.
const MEMORY: u64 = 6 << 30;

/// An analyser to be compared with.
pub trait Peer {
    fn name(&self) -> &str;
    /// Whether it looks at all units together.
    fn is_whole(&self) -> bool {
        false
    }
    /// What it calls itself; an error tells why it cannot be run.
    fn version(&self) -> Result<String, String>;
    fn examine(&self, bench: &Bench) -> Result<Examined, String>;
}

fn all(checkout: &Path) -> Result<Vec<Box<dyn Peer>>, String> {
    Ok(vec![
        Box::new(gcc::Gcc),
        Box::new(clang::Clang),
        Box::new(cppcheck::Cppcheck),
        Box::new(svf::Svf::new(&corpus::root(checkout)?)),
    ])
}

/// Runs `cargo xtask lab peers` with these further arguments.
pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options = Options::parse(arguments, &["peer", "jobs", "seconds", "units"])?;
    if options.names == ["install", "svf"] {
        return svf::install(&corpus::root(checkout)?).map(|()| ExitCode::SUCCESS);
    }
    let peers = chosen(all(checkout)?, &options.all("peer"))?;
    let command = |peer: &str| format!("peers @ --peer {peer}");
    record_all(checkout, &options, &options.names, &peers, command)
}

/// Runs `cargo xtask lab engine` with these further arguments.
pub fn engine(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let options = Options::parse(arguments, &["jobs", "seconds", "units"])?;
    let (engine, names) = options.names.split_first().ok_or_else(super::usage)?;
    let engines = engines(checkout, &[engine])?;
    record_all(checkout, &options, names, &engines, |_| format!("engine {engine} @"))
}

/// What `--engine` and `--peer` name; all peers if nothing is named.
pub fn tools(checkout: &Path, options: &Options) -> Result<Vec<Box<dyn Peer>>, String> {
    let (names, peers) = (options.all("engine"), options.all("peer"));
    let mut tools = if names.is_empty() { Vec::new() } else { engines(checkout, &names)? };
    if tools.is_empty() || !peers.is_empty() {
        tools.extend(chosen(all(checkout)?, &peers)?);
    }
    Ok(tools)
}

fn engines(checkout: &Path, names: &[&str]) -> Result<Vec<Box<dyn Peer>>, String> {
    let caulk = build_caulk(checkout)?;
    let one = |name: &&str| Ok(Box::new(Caulk::new(&caulk, name)?) as Box<dyn Peer>);
    names.iter().map(one).collect()
}

/// The limits of a unit, and how many jobs run at once.
pub fn limits(options: &Options) -> Result<(Limits, usize), String> {
    let seconds = options.number("seconds")?.unwrap_or(SECONDS);
    let limits = Limits { time: Some(Duration::from_secs(seconds)), memory: Some(MEMORY) };
    Ok((limits, options.number("jobs")?.unwrap_or(1)))
}

/// Writes a record for each tool and program; `@` stands for the program in `command`.
fn record_all(
    checkout: &Path,
    options: &Options,
    names: &[String],
    peers: &[Box<dyn Peer>],
    command: impl Fn(&str) -> String,
) -> Result<ExitCode, String> {
    if names.is_empty() {
        return Err(super::usage());
    }
    let (limits, jobs) = limits(options)?;
    let most_units = options.number("units")?.unwrap_or(usize::MAX);
    let mut records = Vec::new();
    for Subject { program, is_apart } in &subject::choose(checkout, names)? {
        let units = program.spread(most_units);
        for peer in peers {
            let name = peer.name();
            let bench =
                Bench { program, units: &units, limits, jobs, peer: name, is_apart: *is_apart };
            let record = record(checkout, peer.as_ref(), &bench, &command(name))?;
            record.write(checkout)?;
            records.push(record);
        }
    }
    show(&summary(&records));
    Ok(ExitCode::SUCCESS)
}

fn chosen(peers: Vec<Box<dyn Peer>>, names: &[&str]) -> Result<Vec<Box<dyn Peer>>, String> {
    let known: Vec<&str> = peers.iter().map(|peer| peer.name()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("no peer {name:?}; there are {}", known.join(", ")));
    }
    let is_chosen = |name: &str| names.is_empty() || names.contains(&name);
    Ok(peers.into_iter().filter(|peer| is_chosen(peer.name())).collect())
}

fn record(
    checkout: &Path,
    peer: &dyn Peer,
    bench: &Bench,
    command: &str,
) -> Result<Findings, String> {
    let (version, examined, missing) = match peer.version() {
        Ok(version) => (version, peer.examine(bench)?, None),
        Err(reason) => (String::new(), Examined::default(), Some(reason)),
    };
    let (program, units) = (&bench.program.name, bench.units.len());
    let part =
        if units < bench.program.units.len() { format!(" --units {units}") } else { String::new() };
    let seconds = bench.limits.time.map_or(0, |time| time.as_secs());
    let command = command.replace('@', program);
    Ok(Findings {
        tool: peer.name().into(),
        version,
        program: program.clone(),
        program_version: bench.program.version.clone(),
        commit: commit(checkout)?,
        date: today()?,
        command: format!("cargo xtask lab {command} --seconds {seconds}{part}"),
        units: if missing.is_some() { 0 } else { units },
        of_units: bench.program.units.len(),
        missing,
        timed_out: examined.timed_out,
        failed: examined.failed,
        cpu_seconds: rounded(examined.cpu_seconds),
        wall_seconds: rounded(examined.wall_seconds),
        peak_kib: examined.peak_kib,
        findings: examined.findings,
    })
}

/// To hundredths; the rest is noise.
fn rounded(seconds: f64) -> f64 {
    (seconds * 100.0).round() / 100.0
}

fn summary(records: &[Findings]) -> String {
    let heads =
        ["program", "peer", "units", "timed out", "failed", "findings", "CPU, s", "peak, MiB"];
    let mut table = Table::new(heads);
    for record in records {
        let figures = match &record.missing {
            Some(_) => std::iter::repeat_n("missing".to_string(), 6).collect(),
            None => vec![
                format!("{} of {}", record.units, record.of_units),
                record.timed_out.to_string(),
                record.failed.to_string(),
                record.findings.len().to_string(),
                format!("{:.2}", record.cpu_seconds),
                (record.peak_kib >> 10).to_string(),
            ],
        };
        table.row([vec![record.program.clone(), record.tool.clone()], figures].concat());
    }
    let missing = records.iter().filter_map(|r| Some((&r.tool, r.missing.as_ref()?)));
    let reasons: std::collections::BTreeSet<String> =
        missing.map(|(tool, reason)| format!("{tool} is missing: {reason}\n")).collect();
    table.text() + &reasons.into_iter().collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_peer_is_told_once() {
        use crate::lab::findings::tests::findings;
        let missing = |program| Findings {
            missing: Some("not installed".into()),
            ..findings("svf", program, Vec::new())
        };
        let text = summary(&[missing("a"), missing("b"), findings("gcc", "a", Vec::new())]);
        assert_eq!(text.matches("svf is missing: not installed\n").count(), 1);
        assert!(text.contains("| missing |"), "{text}");
        assert!(text.contains("4 of 4"), "{text}");
    }
}
