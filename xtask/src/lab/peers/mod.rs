//! `cargo xtask lab peers`: other analysers on the units of corpus programs, for leaks, double
//! frees and resource leaks only.
//!
//! Each peer turns a unit into a job (`job`), a job runs under limits and is kept beside the corpus
//! (`bench`), and what it told is read into the form that all tools share. SVF differs: it wants a
//! whole program, see `svf`.

mod bench;
mod clang;
mod command;
mod cppcheck;
mod gcc;
mod job;
mod svf;

use super::findings::Findings;
use super::options::Options;
use crate::corpus;
use crate::table::Table;
use crate::tools::{commit, today};
use crate::{process_tree::Limits, show};
use bench::{Bench, Examined};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// For one unit, unless told otherwise.
const SECONDS: u64 = 60;
/// For each process; the lab is to run on machines with 8 GiB.
const MEMORY: u64 = 6 << 30;

/// An analyser to be compared with.
pub trait Peer {
    fn name(&self) -> &'static str;
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
    if options.names.is_empty() {
        return Err(super::usage());
    }
    let peers = chosen(all(checkout)?, &options.all("peer"))?;
    let seconds = options.number("seconds")?.unwrap_or(SECONDS);
    let limits = Limits { time: Some(Duration::from_secs(seconds)), memory: Some(MEMORY) };
    let jobs = options.number("jobs")?.unwrap_or(1);
    let most_units = options.number("units")?;
    let mut records = Vec::new();
    for program in &corpus::choose(checkout, &options.names)?.programs {
        let units = program.spread(most_units.unwrap_or(usize::MAX));
        for peer in &peers {
            let bench = Bench { program, units: &units, limits, jobs, peer: peer.name() };
            let record = record(checkout, peer.as_ref(), &bench, seconds)?;
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
    seconds: u64,
) -> Result<Findings, String> {
    let (version, examined, missing) = match peer.version() {
        Ok(version) => (version, peer.examine(bench)?, None),
        Err(reason) => (String::new(), Examined::default(), Some(reason)),
    };
    let (program, units) = (&bench.program.name, bench.units.len());
    let part =
        if units < bench.program.units.len() { format!(" --units {units}") } else { String::new() };
    let peer = peer.name();
    Ok(Findings {
        tool: peer.into(),
        version,
        program: program.clone(),
        program_version: bench.program.version.clone(),
        commit: commit(checkout)?,
        date: today()?,
        command: format!("cargo xtask lab peers {program} --peer {peer} --seconds {seconds}{part}"),
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
