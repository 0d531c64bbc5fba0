//! SVF's saber, on whole programs: every unit becomes bitcode, units that can be linked together
//! are, and saber runs on each linked program, once for each kind of finding.
//!
//! saber is not in Debian. `install` puts it beside the corpus; see there.

mod groups;
mod install;
mod output;

use super::bench::{Bench, Examined, of_whole};
use super::clang::CLANG;
use super::job::{Done, Job, Told};
use super::{Peer, command};
use crate::corpus::Entry;
use crate::corpus::run::captured;
use crate::lab::findings::{Finding, Kind, recorded};
use crate::process_tree::Limits;
pub use install::install;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const LINK: &str = "llvm-link-19";
const OPT: &str = "opt-19";
const NM: &str = "llvm-nm-19";

pub struct Svf {
    folder: PathBuf,
}

/// A unit with its bitcode.
struct Compiled<'a> {
    unit: &'a Entry,
    bitcode: PathBuf,
}

impl Peer for Svf {
    fn name(&self) -> &str {
        "svf"
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn version(&self) -> Result<String, String> {
        for tool in [CLANG, LINK, OPT, NM] {
            let told = |e| format!("{e} (apt-get install clang-19 llvm-19)");
            captured(Command::new(tool).arg("--version")).map_err(told)?;
        }
        install::version(&self.folder)
    }

    fn examine(&self, bench: &Bench) -> Result<Examined, String> {
        let versions = format!("{} {}", self.version()?, bench.program.version);
        let mut examined = Examined::default();
        let compiled = compile(bench, &versions, &mut examined)?;
        let files: Vec<&Path> = compiled.iter().map(|c| c.bitcode.as_path()).collect();
        let mut findings = BTreeSet::new();
        for (number, group) in groups::linkable(&files)?.iter().enumerate() {
            let members: Vec<&Compiled> = group.iter().map(|&index| &compiled[index]).collect();
            let name = format!("program-{number}-of-{}.bc", bench.units.len());
            let linked = bench.kept()?.join(name);
            let link = Linked { saber: self, bench, members: &members, file: linked };
            findings.extend(link.examine(&versions, &mut examined)?);
        }
        examined.findings = findings.into_iter().collect();
        Ok(examined)
    }
}

impl Svf {
    pub fn new(corpus: &Path) -> Svf {
        Svf { folder: install::folder(corpus) }
    }
}

/// Bitcode of every unit that clang takes.
fn compile<'a>(
    bench: &Bench<'a>,
    versions: &str,
    examined: &mut Examined,
) -> Result<Vec<Compiled<'a>>, String> {
    let kept = bench.kept()?;
    let bitcode = |number: usize| kept.join(format!("{number}-of-{}.bc", bench.units.len()));
    let job = |(number, unit): (usize, &Entry)| compilation(unit, &bitcode(number), versions);
    let jobs: Vec<Job> = bench.units.iter().enumerate().map(job).collect();
    let mut compiled = Vec::new();
    for (number, done) in bench.run("bitcode", &jobs)?.into_iter().enumerate() {
        examined.add(&done);
        examined.timed_out += usize::from(done.usage.timed_out);
        examined.failed += usize::from(done.failed());
        if done.usage.exit_code == 0 {
            compiled.push(Compiled { unit: &bench.units[number], bitcode: bitcode(number) });
        }
    }
    Ok(compiled)
}

/// The path of the source is absolute, since saber tells paths as they were given.
fn compilation(unit: &Entry, bitcode: &Path, versions: &str) -> Job {
    let source = Path::new(&unit.directory).join(&unit.file);
    let mut arguments = command::for_clang(unit, &source);
    let wanted = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-o"];
    arguments.extend(wanted.map(OsString::from));
    arguments.push(bitcode.into());
    let folder = (&unit.directory).into();
    let versions = versions.into();
    Job { program: CLANG.into(), arguments, folder, told: Told::Stderr, versions }
}

/// Units that make a program, or a part of one.
struct Linked<'a> {
    saber: &'a Svf,
    bench: &'a Bench<'a>,
    members: &'a [&'a Compiled<'a>],
    file: PathBuf,
}

impl Linked<'_> {
    fn examine(&self, versions: &str, examined: &mut Examined) -> Result<Vec<Finding>, String> {
        let prepared = self.run("link", &self.link(versions), examined)?.usage.exit_code == 0
            && self.run("opt", &self.promote(versions), examined)?.usage.exit_code == 0;
        if !prepared {
            examined.failed += self.members.len();
            return Ok(Vec::new());
        }
        let mut findings = Vec::new();
        let (mut timed_out, mut failed) = (false, false);
        for kind in Kind::ALL {
            let done = self.run(kind.name(), &self.analysis(kind, versions), examined)?;
            timed_out |= done.usage.timed_out;
            failed |= done.failed();
            findings.extend(output::parse(&done.told).into_iter().map(|f| self.placed(f)));
        }
        let count = self.members.len();
        examined.timed_out += if timed_out { count } else { 0 };
        examined.failed += if failed && !timed_out { count } else { 0 };
        Ok(findings)
    }

    fn run(&self, what: &str, job: &Job, examined: &mut Examined) -> Result<Done, String> {
        let done = self.bench.run_within(what, &[(job, self.limits())])?.remove(0);
        examined.add(&done);
        Ok(done)
    }

    /// The time of all its units, within reason.
    fn limits(&self) -> Limits {
        of_whole(self.bench.limits, self.members.len())
    }

    fn link(&self, versions: &str) -> Job {
        let mut arguments: Vec<OsString> = vec!["-o".into(), (&self.file).into()];
        arguments.extend(self.members.iter().map(|member| (&member.bitcode).into()));
        self.job(LINK.into(), arguments, Told::Stderr, versions)
    }

    /// saber takes locals in memory for objects, and is meant to be run without them.
    fn promote(&self, versions: &str) -> Job {
        let file = || OsString::from(&self.file);
        let arguments = vec!["-passes=mem2reg".into(), file(), "-o".into(), file()];
        self.job(OPT.into(), arguments, Told::Stderr, versions)
    }

    fn analysis(&self, kind: Kind, versions: &str) -> Job {
        let checker = match kind {
            Kind::Leak => "-leak",
            Kind::DoubleFree => "-dfree",
            Kind::ResourceLeak => "-fileck",
        };
        let (saber, library) = install::saber(&self.saber.folder);
        let mut option = OsString::from("-extapi=");
        option.push(library);
        let arguments =
            vec![saber.into(), checker.into(), "-stat=false".into(), option, (&self.file).into()];
        // The report goes to standard error, everything else to standard output.
        self.job("sh".into(), arguments, Told::Stderr, versions)
    }

    /// The members are part of the job: the linked file has the same name for other units.
    fn job(&self, program: OsString, arguments: Vec<OsString>, told: Told, versions: &str) -> Job {
        let members: Vec<&str> = self.members.iter().map(|m| m.unit.file.as_str()).collect();
        let versions = format!("{versions} {}", members.join(" "));
        Job { program, arguments, folder: self.bench.source(), told, versions }
    }

    /// A relative path is that of a header, from the folder of one of the units.
    fn placed(&self, mut finding: Finding) -> Finding {
        let folders = || self.members.iter().map(|member| Path::new(&member.unit.directory));
        let folder = folders().find(|folder| folder.join(&finding.file).is_file());
        let folder = folder.or(folders().next()).unwrap_or(Path::new(""));
        finding.file = recorded(&self.bench.source(), folder, &finding.file);
        finding
    }
}
