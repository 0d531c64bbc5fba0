//! An engine of caulk, run as its peers are: under limits, kept beside the corpus, in their form.

use super::Peer;
use super::bench::{Bench, Examined, of_whole};
use super::job::{Done, Job, OUTPUT, Told};
use crate::corpus::run::captured;
use crate::corpus::{Entry, write_database};
use crate::lab::findings::{Finding, Kind, recorded};
use crate::process_tree::Limits;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What `caulk check` runs if nothing is chosen.
pub const DEFAULT: &str = "staged";

pub struct Caulk {
    pub program: PathBuf,
    /// With switches after it: `saber+improved`.
    pub engine: String,
    tool: String,
    /// Results are kept for one state of the program, which its version does not tell.
    state: u64,
    /// What the program says about its options.
    help: String,
}

/// Leaks at the end of the process are hidden unless asked for; the truth counts them.
const SHOW: [&str; 2] = ["--show", "leak/at-exit"];

impl Caulk {
    pub fn new(program: &Path, engine: &str) -> Result<Caulk, String> {
        let help = captured(Command::new(program).args(["check", "--help"]))?;
        let bytes = std::fs::read(program).map_err(|e| format!("{}: {e}", program.display()))?;
        Ok(Caulk {
            program: program.into(),
            engine: engine.into(),
            tool: format!("caulk-{engine}"),
            state: hash(&bytes),
            help,
        })
    }

    /// The words that choose the engine and all that it finds, as far as there is a choice.
    pub fn choice(&self) -> Result<Vec<&str>, String> {
        let show = if self.help.contains(SHOW[0]) { &SHOW[..] } else { &[] };
        match self.help.contains("--engine") {
            true => Ok([&self.chosen()[..], show].concat()),
            false if self.engine == DEFAULT => Ok(show.to_vec()),
            false => Err(format!("this caulk has no engine {}", self.engine)),
        }
    }

    fn chosen(&self) -> Vec<&str> {
        let (engine, switches) = self.engine.split_once('+').unwrap_or((&self.engine, ""));
        let switches = switches.split('+').filter(|word| !word.is_empty());
        let switches = switches.flat_map(|word| ["--switch", word]);
        ["--engine", engine].into_iter().chain(switches).collect()
    }

    /// What the engine says about files that are compiled alike, without limits.
    pub fn check(&self, files: &[&Path], flags: &[&str]) -> Result<Vec<Finding>, String> {
        let folder = files.first().and_then(|file| file.parent()).unwrap_or(Path::new("/"));
        let mut caulk = Command::new(&self.program);
        caulk.args(["check", "--no-cache", "--quiet", "--format", "json"]).args(self.choice()?);
        caulk.args(files).arg("--").args(flags).current_dir(folder).stdin(Stdio::null());
        let output = caulk.output().map_err(|e| format!("cannot run caulk: {e}"))?;
        let told = String::from_utf8_lossy(&output.stdout);
        match output.status.code() {
            Some(0 | 1) => Ok(parse(&told, folder)),
            code => {
                let errors = String::from_utf8_lossy(&output.stderr);
                Err(format!("caulk ended with {code:?} on {}: {errors}", folder.display()))
            }
        }
    }

    fn job(&self, bench: &Bench, units: &[Entry]) -> Result<Job, String> {
        let told = |e: serde_json::Error| e.to_string();
        let of_units = hash(serde_json::to_string(units).map_err(told)?.as_bytes());
        let database = bench.kept()?.join(format!("{of_units:016x}.database"));
        write_database(&database, units)?;
        let fixed = ["check", "--no-cache", "--quiet", "--format", "json", "-o", OUTPUT];
        let words = fixed.into_iter().chain(self.choice()?).chain(["-p"]);
        let mut arguments: Vec<OsString> = words.map(OsString::from).collect();
        arguments.push(database.into());
        Ok(Job {
            program: (&self.program).into(),
            arguments,
            folder: bench.source(),
            told: Told::Output,
            versions: format!("{:016x} {}", self.state, bench.program.version),
        })
    }
}

impl Peer for Caulk {
    fn name(&self) -> &str {
        &self.tool
    }

    fn version(&self) -> Result<String, String> {
        self.choice().map(|_| env!("CARGO_PKG_VERSION").into())
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn examine(&self, bench: &Bench) -> Result<Examined, String> {
        let programs: Vec<&[Entry]> = match bench.is_apart {
            true => bench.units.chunks(1).collect(),
            false => vec![bench.units],
        };
        let jobs = programs.iter().map(|units| self.job(bench, units));
        let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
        let limits = programs.iter().map(|units| of_whole(bench.limits, units.len()));
        let pairs: Vec<(&Job, Limits)> = jobs.iter().zip(limits).collect();
        let mut examined = Examined::default();
        let mut findings = BTreeSet::new();
        for (units, done) in programs.iter().zip(bench.run_within("program", &pairs)?) {
            examined.add(&done);
            examined.timed_out += if done.usage.timed_out { units.len() } else { 0 };
            examined.failed += failed_units(&done, units.len());
            findings.extend(parse(&done.told, &bench.source()));
        }
        examined.findings = findings.into_iter().collect();
        Ok(examined)
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Findings and units that could not be read are no failure of the whole.
fn failed_units(done: &Done, all: usize) -> usize {
    if done.usage.timed_out {
        return 0;
    }
    let report: Value = serde_json::from_str(&done.told).unwrap_or_default();
    match (done.usage.exit_code, report["units"].as_array()) {
        (0 | 1 | 3, Some(units)) => units.iter().filter(|unit| unit["state"] == "failed").count(),
        _ => all,
    }
}

/// The findings of a report as `docs/json.md` describes it.
pub fn parse(told: &str, source: &Path) -> Vec<Finding> {
    let report: Value = serde_json::from_str(told).unwrap_or_default();
    let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let told =
        |found: &Value| finding(found, source).map(|it| [vec![it.clone()], along(found, &it)]);
    findings.iter().filter_map(told).flatten().flatten().collect()
}

/// What a finding says is lost with its object.
fn along(found: &Value, owner: &Finding) -> Vec<Finding> {
    let steps = found["path"].as_array().map_or(&[][..], Vec::as_slice);
    let steps = steps.iter().filter(|step| step["role"] == "along");
    let made = steps.filter_map(|step| place(&step["location"]));
    made.map(|(_, line)| Finding { allocation_line: Some(line), ..owner.clone() }).collect()
}

fn finding(found: &Value, source: &Path) -> Option<Finding> {
    let resource = found["resource"].as_str()?;
    let steps = found["path"].as_array().map_or(&[][..], Vec::as_slice);
    let allocation = steps.iter().find(|step| step["role"] == "allocation");
    let made = place(&allocation.unwrap_or(found)["location"])?;
    let kind = kind(found["kind"].as_str()?, resource)?;
    let ends = |step: &&Value| step["role"] == "loss" || step["role"] == "release";
    let end = steps.iter().rfind(ends).and_then(|step| place(&step["location"]));
    // A leak belongs to the allocation's file, a second release to its own.
    let (file, line) =
        end.filter(|(other, _)| *other == made.0 || kind == Kind::DoubleFree).unwrap_or(made);
    Some(Finding {
        kind,
        line,
        file: recorded(source, source, file),
        function: found["function"].as_str().map(String::from),
        message: found["message"].as_str()?.into(),
        allocation_line: (file == made.0).then_some(made.1),
        resource: Some(resource.into()),
        confidence: found["confidence"].as_str().map(String::from),
    })
}

fn place(location: &Value) -> Option<(&str, u32)> {
    let line = u32::try_from(location["start"]["line"].as_u64()?).ok()?;
    Some((location["path"].as_str()?, line))
}

/// caulk's leaks are of any resource; kinds that no peer is asked for are left out.
fn kind(kind: &str, resource: &str) -> Option<Kind> {
    match kind.split('/').next()? {
        "leak" if resource == "memory" => Some(Kind::Leak),
        "leak" => Some(Kind::ResourceLeak),
        "double-free" => Some(Kind::DoubleFree),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"findings":[
        {"kind":"leak/some-path","resource":"file","function":"f","message":"lost",
         "confidence":"high",
         "location":{"path":"lib/a.c","start":{"line":4,"column":1}},
         "path":[{"role":"allocation","location":{"path":"lib/a.c","start":{"line":4}}},
                 {"role":"loss","location":{"path":"lib/a.c","start":{"line":9}}}]},
        {"kind":"use-after-free","resource":"memory","function":"f","message":"x",
         "location":{"path":"a.c","start":{"line":1}},"path":[]}]}"#;

    #[test]
    fn what_is_lost_along_is_told_as_well() {
        let along = r#"{"role":"along","location":{"path":"lib/a.c","start":{"line":6}}},"#;
        let report = REPORT.replace(r#"{"role":"loss""#, &format!(r#"{along}{{"role":"loss""#));
        let found = parse(&report, Path::new("/c/tar/source"));
        let lines: Vec<_> = found.iter().map(|it| (it.allocation_line, it.line)).collect();
        assert_eq!(lines, [(Some(4), 9), (Some(6), 9)]);
    }

    #[test]
    fn a_report_is_read() {
        let found = parse(REPORT, Path::new("/c/tar/source"));
        let expected = Finding {
            file: "lib/a.c".into(),
            line: 9,
            kind: Kind::ResourceLeak,
            function: Some("f".into()),
            message: "lost".into(),
            allocation_line: Some(4),
            resource: Some("file".into()),
            confidence: Some("high".into()),
        };
        assert_eq!(found, [expected]);
        assert!(parse("", Path::new("/")).is_empty());
    }

    #[test]
    fn a_second_release_is_told_in_its_own_file() {
        let report = r#"{"findings":[{"kind":"double-free","resource":"memory","message":"twice",
            "path":[{"role":"allocation","location":{"path":"a.c","start":{"line":4}}},
                    {"role":"release","location":{"path":"b.c","start":{"line":9}}}]}]}"#;
        let found = parse(report, Path::new("/c/tar/source"));
        let [only] = &found[..] else { panic!("{found:?}") };
        assert_eq!((only.file.as_str(), only.line, only.allocation_line), ("b.c", 9, None));
        let leak = report.replace("double-free", "leak").replace("release", "loss");
        let found = parse(&leak, Path::new("/c/tar/source"));
        assert_eq!((found[0].file.as_str(), found[0].allocation_line), ("a.c", Some(4)));
    }

    #[test]
    fn an_engine_that_cannot_be_chosen_is_missing() {
        let caulk = |engine: &str, help: &str| Caulk {
            program: "caulk".into(),
            engine: engine.into(),
            tool: String::new(),
            state: 0,
            help: help.into(),
        };
        assert_eq!(caulk(DEFAULT, "").choice(), Ok(Vec::new()));
        assert_eq!(caulk("saber", "--engine E").choice(), Ok(vec!["--engine", "saber"]));
        let switched = ["--engine", "saber", "--switch", "improved"].to_vec();
        assert_eq!(caulk("saber+improved", "--engine E").choice(), Ok(switched));
        assert_eq!(caulk(DEFAULT, "--show WHAT").choice(), Ok(SHOW.to_vec()));
        assert!(caulk("saber", "").version().is_err());
    }
}
