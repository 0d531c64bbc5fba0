//! One run of a peer: its command, and what came of it. Results are kept beside the corpus, so
//! that an interrupted run goes on where it was, and a changed reader of outputs needs no new run.

use crate::measure::{Measurement, Usage};
use crate::process_tree::Limits;
use crate::tools::Scratch;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Stands in the arguments for a file that the tool writes.
pub const OUTPUT: &str = "@OUTPUT@";

/// Where the tool tells what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    Stderr,
    Output,
}

#[derive(Debug, Clone)]
pub struct Job {
    pub program: OsString,
    pub arguments: Vec<OsString>,
    pub folder: PathBuf,
    pub told: Told,
    /// Of the tool and of the program that it looks at: what else decides the result.
    pub versions: String,
}

/// What came of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Done {
    /// The job in full: the name of the file is too short to tell all jobs apart.
    job: String,
    limit_seconds: Option<u64>,
    pub usage: Usage,
    pub told: String,
}

impl Done {
    pub fn failed(&self) -> bool {
        self.usage.exit_code != 0 && !self.usage.timed_out
    }
}

impl Job {
    /// The kept result, or that of a new run. A run that was ended at a lower limit is repeated.
    pub fn result(&self, kept: &Path, limits: Limits) -> Result<Done, String> {
        let file = kept.join(self.file_name());
        if let Some(done) = self.read(&file, limits) {
            return Ok(done);
        }
        let done = self.run(limits)?;
        let text = serde_json::to_string(&done).map_err(|e| e.to_string())?;
        std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok(done)
    }

    fn file_name(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.description().hash(&mut hasher);
        format!("{:016x}.json", hasher.finish())
    }

    fn read(&self, file: &Path, limits: Limits) -> Option<Done> {
        let done: Done = serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
        let had_less_time = done.usage.timed_out && done.limit_seconds < seconds(limits);
        (done.job == self.description() && !had_less_time).then_some(done)
    }

    fn description(&self) -> String {
        let Job { program, arguments, folder, told, versions } = self;
        format!(
            "Job {{ program: {program:?}, arguments: {arguments:?}, folder: {folder:?}, \
             told: {told:?}, versions: {versions:?} }}"
        )
    }

    fn run(&self, limits: Limits) -> Result<Done, String> {
        let scratch = Scratch::new(&format!("peer-{}", self.file_name()))?;
        let [output, stderr] = ["output", "stderr"].map(|name| scratch.file(name));
        let create = |file: &Path| File::create(file).map_err(|e| e.to_string());
        let mut measurement = Measurement::within(limits, &self.program, scratch.file("figures"))
            .map_err(|e| e.to_string())?;
        let is_output = |argument: &OsString| argument.as_os_str() == OUTPUT;
        for argument in &self.arguments {
            let argument = if is_output(argument) { output.as_os_str() } else { argument };
            measurement.command.arg(argument);
        }
        // Messages in English, in plain characters.
        measurement.command.current_dir(&self.folder).env("LC_ALL", "C").stdin(Stdio::null());
        measurement.command.stdout(Stdio::null()).stderr(create(&stderr)?);
        let usage = measurement.run()?;
        let told = match self.told {
            Told::Stderr => stderr,
            Told::Output => output,
        };
        let told = std::fs::read(&told).unwrap_or_default();
        let told = String::from_utf8_lossy(&told).into_owned();
        Ok(Done { job: self.description(), limit_seconds: seconds(limits), usage, told })
    }
}

fn seconds(limits: Limits) -> Option<u64> {
    limits.time.map(|time| time.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn job(arguments: &[&str]) -> Job {
        let arguments = arguments.iter().map(OsString::from).collect();
        let folder = std::env::temp_dir();
        Job { program: "sh".into(), arguments, folder, told: Told::Stderr, versions: "1".into() }
    }

    fn done(job: &Job, timed_out: bool, limit: u64) -> Done {
        let usage = Usage {
            user: Duration::ZERO,
            system: Duration::ZERO,
            wall: Duration::ZERO,
            peak_memory: 0,
            exit_code: 0,
            timed_out,
        };
        let job = job.description();
        Done { job, limit_seconds: Some(limit), usage, told: "kept".into() }
    }

    fn limits(seconds: u64) -> Limits {
        Limits { time: Some(Duration::from_secs(seconds)), memory: None }
    }

    #[test]
    fn kept_results_are_for_the_same_job_and_enough_time() {
        let scratch = Scratch::new("job-test").unwrap();
        let file = scratch.file("kept.json");
        let (one, other) = (job(&["-c", "exit"]), job(&["-c", "exit 1"]));
        assert_ne!(one.file_name(), other.file_name());
        let keep = |done: Done| {
            std::fs::write(&file, serde_json::to_string(&done).unwrap()).unwrap();
        };
        keep(done(&one, false, 1));
        assert_eq!(one.read(&file, limits(9)).unwrap().told, "kept");
        assert!(other.read(&file, limits(9)).is_none());
        keep(done(&one, true, 5));
        assert!(one.read(&file, limits(9)).is_none());
        assert!(one.read(&file, limits(5)).is_some());
    }
}
