//! Runs the jobs of a peer on a program and adds up what they cost.

use super::job::{Done, Job};
use crate::corpus::{Entry, Ready};
use crate::lab::findings::Finding;
use crate::process_tree::Limits;
use crate::workers;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A peer on (a part of) a program.
pub struct Bench<'a> {
    pub program: &'a Ready,
    pub units: &'a [Entry],
    pub limits: Limits,
    pub jobs: usize,
    pub peer: &'a str,
    /// Each unit is a program of its own.
    pub is_apart: bool,
}

/// The most time for a whole program, whatever the number of its units.
const MOST_SECONDS: u64 = 900;

/// What a program of so many units may use.
pub fn of_whole(unit: Limits, units: usize) -> Limits {
    let sum = unit.time.map(|time| time.as_secs() * units as u64);
    let time = sum.map(|seconds| Duration::from_secs(seconds.min(MOST_SECONDS)));
    Limits { time, ..unit }
}

/// What a peer found and used. The wall time is that of one job after the other.
#[derive(Debug, Default)]
pub struct Examined {
    pub timed_out: usize,
    pub failed: usize,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_kib: u64,
    pub findings: Vec<Finding>,
}

impl Bench<'_> {
    /// The folder with results of this peer.
    pub fn kept(&self) -> Result<PathBuf, String> {
        let folder = self.program.folder.join("peers").join(self.peer);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(folder)
    }

    pub fn source(&self) -> PathBuf {
        self.program.folder.join("source")
    }

    /// All jobs, each under the limits of a unit.
    pub fn run(&self, what: &str, jobs: &[Job]) -> Result<Vec<Done>, String> {
        let pairs: Vec<(&Job, Limits)> = jobs.iter().map(|job| (job, self.limits)).collect();
        self.run_within(what, &pairs)
    }

    pub fn run_within(&self, what: &str, jobs: &[(&Job, Limits)]) -> Result<Vec<Done>, String> {
        let kept = self.kept()?;
        let ended = AtomicUsize::new(0);
        let one = |(job, limits): &(&Job, Limits)| {
            let done = job.result(&kept, *limits);
            self.tell(what, 1 + ended.fetch_add(1, Ordering::Relaxed), jobs.len());
            done
        };
        workers::map_on(self.jobs, jobs, one)?.into_iter().collect()
    }

    /// A line for each tenth.
    fn tell(&self, what: &str, ended: usize, all: usize) {
        if ended * 10 / all > (ended - 1) * 10 / all {
            eprintln!("{}: {}: {what} {ended} of {all}", self.program.name, self.peer);
        }
    }

    /// One job for each unit; `gave_up` finds failures that the exit code does not tell.
    pub fn each_unit(
        &self,
        job: impl Fn(&Entry) -> Job,
        parse: impl Fn(&str) -> Vec<Finding>,
        gave_up: impl Fn(&str) -> bool,
    ) -> Result<Examined, String> {
        let jobs: Vec<Job> = self.units.iter().map(job).collect();
        let mut examined = Examined::default();
        let mut findings = BTreeSet::new();
        for (unit, done) in self.units.iter().zip(self.run("unit", &jobs)?) {
            examined.add(&done);
            examined.timed_out += usize::from(done.usage.timed_out);
            let failed = done.failed() || !done.usage.timed_out && gave_up(&done.told);
            examined.failed += usize::from(failed);
            findings.extend(parse(&done.told).into_iter().map(|found| self.placed(unit, found)));
        }
        examined.findings = findings.into_iter().collect();
        Ok(examined)
    }

    /// With the file relative to the sources.
    pub fn placed(&self, unit: &Entry, mut finding: Finding) -> Finding {
        let folder = std::path::Path::new(&unit.directory);
        finding.file = crate::lab::findings::recorded(&self.source(), folder, &finding.file);
        finding
    }
}

impl Examined {
    pub fn add(&mut self, done: &Done) {
        self.cpu_seconds += done.usage.cpu_seconds();
        self.wall_seconds += done.usage.wall.as_secs_f64();
        self.peak_kib = self.peak_kib.max(done.usage.peak_memory >> 10);
    }
}
