//! From a catalogue entry to a compile database, step by step.
//!
//! Download, install packages, configure, build, write the database. A step that ended leaves a
//! stamp with what it was made from; a later run repeats only from the first step whose stamp is
//! missing or differs. Configuring begins with unpacking: half a configuration is no ground to go
//! on from, and with a changed recipe, objects that exist already would not be compiled, hence not
//! recorded. An interrupted build goes on where it was, and so does its record.

use super::apt::Apt;
use super::catalogue::{Origin, Program};
use super::run::{Outcome, captured, logged};
use super::{crates, database, shim};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Variables that would change what is built behind the recipe's back.
const CLEARED: &[&str] =
    &["CC", "CXX", "CPP", "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL"];

/// Where one program lives.
pub struct Place {
    folder: PathBuf,
}

impl Place {
    pub fn new(root: &Path, name: &str) -> Place {
        Place { folder: root.join(name) }
    }
    pub fn folder(&self) -> &Path {
        &self.folder
    }
    pub fn database(&self) -> PathBuf {
        self.folder.join("compile_commands.json")
    }
    /// Whether the last step has ended.
    pub fn is_ready(&self) -> bool {
        self.stamp("database").is_file() && self.database().is_file()
    }
    /// The version of the source package that was downloaded, if one was.
    pub fn version(&self) -> Option<String> {
        let description = std::fs::read_to_string(description_file(&self.download()).ok()?).ok()?;
        description.lines().find_map(|line| line.strip_prefix("Version: ")).map(String::from)
    }
    fn download(&self) -> PathBuf {
        self.folder.join("download")
    }
    fn source(&self) -> PathBuf {
        self.folder.join("source")
    }
    fn record(&self) -> PathBuf {
        self.folder.join("compilations.jsonl")
    }
    fn log(&self, step: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{step}.log"))
    }
    fn stamp(&self, step: &str) -> PathBuf {
        self.folder.join("stamps").join(step)
    }
}

/// One program on its way.
pub struct Fetch<'a> {
    pub program: &'a Program,
    pub place: Place,
    pub shims: &'a Path,
    pub apt: &'a Apt,
}

/// A step: its name, what it depends on beside the steps before it, and what it does.
type Step<'a> = (&'static str, String, fn(&Fetch<'a>) -> Outcome);

impl<'a> Fetch<'a> {
    /// Does what is not yet done.
    pub fn run(&self) -> Outcome {
        for folder in ["logs", "stamps"] {
            let folder = self.place.folder.join(folder);
            std::fs::create_dir_all(&folder).map_err(|e| told(&folder, e))?;
        }
        let steps = self.steps();
        let done = |(name, inputs, _): &Step| {
            std::fs::read_to_string(self.place.stamp(name)).is_ok_and(|text| text == *inputs)
        };
        let first = steps.iter().position(|step| !done(step)).unwrap_or(steps.len());
        for (name, ..) in &steps[first..] {
            let _ = std::fs::remove_file(self.place.stamp(name));
        }
        for (name, inputs, action) in &steps[first..] {
            self.run_step(name, *action)?;
            let stamp = self.place.stamp(name);
            std::fs::write(&stamp, inputs).map_err(|e| told(&stamp, e))?;
        }
        Ok(())
    }

    fn steps(&self) -> [Step<'a>; 5] {
        let program = self.program;
        let pin = format!("{} {}\n", program.version, program.sha256);
        let recipe = format!("{:?} {:?}\n", program.configure, program.build);
        let packages = format!("{:?}\n", program.packages);
        [
            ("download", pin, Fetch::download),
            ("packages", packages, Fetch::install_packages),
            ("configure", recipe, Fetch::configure),
            ("build", String::new(), Fetch::build),
            ("database", String::new(), Fetch::write_database),
        ]
    }

    fn run_step(&self, name: &str, action: fn(&Fetch<'a>) -> Outcome) -> Outcome {
        self.say(&format!("{name} …"));
        let _ = std::fs::remove_file(self.place.log(name));
        let start = Instant::now();
        action(self).map_err(|e| format!("{name}: {e}"))?;
        let seconds = start.elapsed().as_secs_f32();
        if seconds > 1.0 {
            self.say(&format!("{name}: {seconds:.0} s"));
        }
        Ok(())
    }

    fn say(&self, message: &str) {
        eprintln!("{}: {message}", self.program.name);
    }

    fn download(&self) -> Outcome {
        match self.program.from {
            Origin::Debian => self.download_package(),
            Origin::Crate => {
                let folder = self.place.download();
                crates::download(self.program, &folder, &self.place.log("download"))
            }
        }
    }

    fn download_package(&self) -> Outcome {
        let Program { version: pinned, sha256, .. } = self.program;
        let folder = self.place.download();
        let log = self.place.log("download");
        let version = self.apt.download(self.program.source(), pinned, &folder, &log)?;
        if version != *pinned {
            self.say(&format!(
                "warning: {pinned} is not to be had, took {version}; its checksum is not checked"
            ));
            return Ok(());
        }
        let description = description_file(&folder)?;
        let found = checksum(&description)?;
        let differs = || {
            let file = description.display();
            format!("{file} is not what lab/corpus.toml pins: sha256 {found}, expected {sha256}")
        };
        (found == *sha256).then_some(()).ok_or_else(differs)
    }

    fn install_packages(&self) -> Outcome {
        self.apt.install(&self.program.packages, &self.place.log("packages"))
    }

    /// Unpacks with Debian's patches applied. What was recorded of older sources is void.
    fn unpack(&self) -> Outcome {
        let source = self.place.source();
        if source.exists() {
            std::fs::remove_dir_all(&source).map_err(|e| told(&source, e))?;
        }
        for outdated in [self.place.record(), self.place.database()] {
            let _ = std::fs::remove_file(outdated);
        }
        let mut unpack = match self.program.from {
            Origin::Debian => extraction(&self.place.download(), &source)?,
            Origin::Crate => crates::copy(self.program, &self.place.download(), &source),
        };
        logged(&mut unpack, &self.place.log("configure"))
    }

    fn configure(&self) -> Outcome {
        self.unpack()?;
        let mut shell = self.shell(&self.program.configure)?;
        logged(&mut shell, &self.place.log("configure"))
    }

    fn build(&self) -> Outcome {
        let mut shell = self.shell(&self.program.build)?;
        shell.env(shim::LOG, self.place.record());
        logged(&mut shell, &self.place.log("build"))
    }

    fn write_database(&self) -> Outcome {
        let entries = database::read_log(&self.place.record())?;
        let units = entries.iter().filter(|e| e.is_c()).count();
        if units == 0 {
            return Err("the build compiled no C source".into());
        }
        self.say(&format!("{units} units in {}", self.place.database().display()));
        database::write(&self.place.database(), &entries)
    }

    /// A shell that runs the lines in the source, at low priority, with the shims before all.
    fn shell(&self, lines: &[String]) -> Result<Command, String> {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.shims.to_path_buf()).chain(std::env::split_paths(&old));
        let path = std::env::join_paths(folders).map_err(|e| e.to_string())?;
        let jobs = std::thread::available_parallelism().map_or(1, |n| n.get());
        let mut shell = Command::new("nice");
        shell.args(["sh", "-e", "-x", "-c", &lines.join("\n")]);
        for name in CLEARED {
            shell.env_remove(name);
        }
        shell.env("PATH", path).env("JOBS", jobs.to_string()).env("LC_ALL", "C.UTF-8");
        // GNU programs refuse to be configured by root, as which containers run.
        shell.env("FORCE_UNSAFE_CONFIGURE", "1");
        shell.current_dir(self.place.source());
        Ok(shell)
    }
}

fn told(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Unpacks a downloaded source package.
fn extraction(download: &Path, source: &Path) -> Result<Command, String> {
    let mut unpack = Command::new("dpkg-source");
    unpack.arg("--extract").arg(description_file(download)?).arg(source);
    Ok(unpack)
}

/// The `.dsc` file that describes a downloaded source package.
fn description_file(folder: &Path) -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| told(folder, e))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let found = paths.find(|path| path.extension().is_some_and(|e| e == "dsc"));
    found.ok_or_else(|| format!("no .dsc file in {}", folder.display()))
}

fn checksum(file: &Path) -> Result<String, String> {
    let line = captured(Command::new("sha256sum").arg(file))?;
    Ok(line.split_whitespace().next().unwrap_or_default().trim_start_matches('\\').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_bytes() {
        let sum = checksum(Path::new("/dev/null")).unwrap();
        assert!(sum.starts_with("e3b0c44298fc1c149afbf4c8996fb924"));
    }
}
