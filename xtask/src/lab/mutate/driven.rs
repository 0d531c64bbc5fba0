//! Programs of the corpus that `cargo xtask execution` can run: built with AddressSanitizer once,
//! then again with one unit replaced for each mutant.

use super::confirm::is_meant;
use super::mutant::{Allocation, Mutant};
use super::target::Target;
use crate::corpus::run::captured;
use crate::corpus::{self, Entry};
use crate::execution::suite::{Case, Program, Suite};
use crate::execution::{build, inputs};
use crate::lab::findings::{Kind, relative};
use crate::tools::Scratch;
use crate::workers;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SANITIZER: &str = "detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=60:exitcode=0";
const OUTPUT_OF: &str = "output of ";
const LOG: &str = "told";

/// A defect that the sanitizer told: its kind, and the places in the program on its stack.
type Told = (Kind, Vec<Allocation>);

pub struct Driven {
    root: PathBuf,
    units: Vec<Entry>,
    objects: Vec<PathBuf>,
    program: Program,
    /// Where it is built, and where it runs.
    folder: PathBuf,
    inputs: PathBuf,
    before: BTreeSet<Told>,
}

impl Driven {
    /// None if no driver exists.
    pub fn new(
        checkout: &Path,
        target: &Target,
        scratch: &Scratch,
    ) -> Result<Option<Driven>, String> {
        let suite = Suite::read(&checkout.join("suites/programs"))?;
        let inputs = inputs::prepare(&suite.folder, scratch)?;
        let Some(program) = suite.programs.into_iter().find(|row| row.name == target.name) else {
            return Ok(None);
        };
        let source = corpus::choose(checkout, std::slice::from_ref(&target.name))?.programs;
        let source = source.first().ok_or(format!("{} is not in the corpus", target.name))?;
        let units = build::units(&program, source, &suite.folder)?;
        let folder = scratch.file("driven");
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let root = target.root.clone();
        let (objects, before) = (Vec::new(), BTreeSet::new());
        let mut driven = Driven { root, units, objects, program, folder, inputs, before };
        driven.build()?;
        driven.before = driven.run(&driven.link(&driven.objects)?)?;
        Ok(Some(driven))
    }

    fn build(&mut self) -> Result<(), String> {
        eprintln!(
            "{}: building {} units with AddressSanitizer …",
            self.program.name,
            self.units.len()
        );
        let numbered: Vec<(usize, &Entry)> = self.units.iter().enumerate().collect();
        let compile = |(number, unit): &(usize, &Entry)| {
            let object = self.folder.join(format!("{number}.o"));
            compile(unit, Path::new(&unit.file), &object).map(|()| object)
        };
        self.objects = workers::map(&numbered, compile)?.into_iter().collect::<Result<_, _>>()?;
        Ok(())
    }

    fn link(&self, objects: &[PathBuf]) -> Result<PathBuf, String> {
        let output = self.folder.join("sanitized");
        let mut gcc = Command::new("gcc");
        gcc.arg("-fsanitize=address").args(objects);
        gcc.args(self.program.libraries.iter().map(|name| format!("-l{name}")));
        captured(gcc.arg("-o").arg(&output)).map(|_| output)
    }

    /// Defects of the mutant that the program does not have.
    pub fn new_defects(&self, mutant: &Mutant, text: &str) -> Result<Vec<Allocation>, String> {
        let is_it = |unit: &&Entry| {
            relative(&self.root, Path::new(&unit.directory), &unit.file) == mutant.file
        };
        let Some(number) = self.units.iter().position(|unit| is_it(&unit)) else {
            return Ok(Vec::new());
        };
        let (source, object) = (self.folder.join("mutant.c"), self.folder.join("mutant.o"));
        let told = |e: std::io::Error| format!("{}: {e}", source.display());
        // Messages and stacks are to name the file that was mutated.
        let original = self.root.join(&mutant.file);
        let text = format!("#line 1 \"{}\"\n{text}", original.display());
        std::fs::write(&source, text).map_err(told)?;
        let mut objects = self.objects.clone();
        compile_mutant(&self.units[number], &source, &original, &object)?;
        objects[number] = object;
        let after = self.run(&self.link(&objects)?)?;
        let fresh =
            after.difference(&self.before).filter(|(kind, _)| is_meant(mutant.plant, *kind));
        let all: BTreeSet<Allocation> = fresh.flat_map(|(_, places)| places.clone()).collect();
        Ok(all.into_iter().collect())
    }

    /// What the sanitizer tells over all cases.
    fn run(&self, binary: &Path) -> Result<BTreeSet<Told>, String> {
        let folders: BTreeSet<&Path> = self.units.iter().map(|u| Path::new(&u.directory)).collect();
        let mut all = BTreeSet::new();
        for case in &self.program.cases {
            for log in self.run_case(binary, case)? {
                all.extend(told(&log, &self.root, &folders));
            }
        }
        Ok(all)
    }

    /// What the sanitizer tells, by process.
    fn run_case(&self, binary: &Path, case: &Case) -> Result<Vec<String>, String> {
        let mut command = Command::new("timeout");
        command.arg("60").arg(binary).args(&case.args).current_dir(&self.inputs);
        // To files: many a program closes its standard error before leaks are looked for.
        let log = self.folder.join(LOG);
        let options = format!("{SANITIZER}:log_path={}", log.display());
        command.env("ASAN_OPTIONS", options).env("LSAN_OPTIONS", "exitcode=0").env("HOME", ".");
        command.stdin(match &case.stdin {
            Some(name) => {
                let name =
                    name.strip_prefix(OUTPUT_OF).map_or(name.clone(), |of| format!("{of}.out"));
                let file = self.inputs.join(name);
                Stdio::from(File::open(&file).map_err(|e| format!("{}: {e}", file.display()))?)
            }
            None => Stdio::null(),
        });
        let output =
            command.output().map_err(|e| format!("cannot run {}: {e}", binary.display()))?;
        let kept = self.inputs.join(format!("{}.out", case.name));
        std::fs::write(&kept, &output.stdout).map_err(|e| format!("{}: {e}", kept.display()))?;
        self.taken_logs()
    }

    /// What the sanitizer told in the last run, each process in a file of its own.
    fn taken_logs(&self) -> Result<Vec<String>, String> {
        let said = |e: std::io::Error| format!("{}: {e}", self.folder.display());
        let mut logs = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(said)? {
            let path = entry.map_err(said)?.path();
            let is_log = path.file_stem().is_some_and(|stem| stem == LOG);
            if is_log {
                let bytes = std::fs::read(&path).map_err(said)?;
                logs.push(String::from_utf8_lossy(&bytes).into_owned());
                std::fs::remove_file(&path).map_err(said)?;
            }
        }
        Ok(logs)
    }
}

fn compile(unit: &Entry, source: &Path, object: &Path) -> Result<(), String> {
    let words = unit.arguments.iter().skip(1).filter(|word| **word != unit.file);
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-fsanitize=address", "-fno-omit-frame-pointer"]).args(words).arg(source);
    captured(gcc.arg("-o").arg(object).current_dir(&unit.directory)).map(drop)
}

fn compile_mutant(
    unit: &Entry,
    source: &Path,
    original: &Path,
    object: &Path,
) -> Result<(), String> {
    let folder = original.parent().unwrap_or(original).to_string_lossy().into_owned();
    let mut arguments = unit.arguments.clone();
    arguments.splice(1..1, ["-iquote".to_string(), folder]);
    compile(&Entry { arguments, ..unit.clone() }, source, object)
}

/// Leaks and double frees, with those frames of the allocating stack that lie below `root`. Units
/// were compiled in these folders.
fn told(log: &str, root: &Path, folders: &BTreeSet<&Path>) -> BTreeSet<Told> {
    let mut all = BTreeSet::new();
    let mut open: Option<Told> = None;
    let mut is_double = false;
    for line in log.lines().chain([""]) {
        if let (Some((_, places)), true) = (&mut open, line.trim_start().starts_with('#')) {
            places.extend(place(line, root, folders));
            continue;
        }
        all.extend(open.take().filter(|(_, places)| !places.is_empty()));
        is_double |= line.contains("attempting double-free");
        if line.contains(" leak of ") {
            open = Some((Kind::Leak, Vec::new()));
        } else if line.starts_with("previously allocated") && is_double {
            open = Some((Kind::DoubleFree, Vec::new()));
        }
    }
    all
}

/// `    #1 0x55 in make /folder/file.c:12`. A file that was compiled as `src/file.c` has that name
/// here too; one that is in no folder is of another program, as those of the C library are.
fn place(frame: &str, root: &Path, folders: &BTreeSet<&Path>) -> Option<Allocation> {
    let (_, rest) = frame.split_once(" in ")?;
    let (function, rest) = rest.split_once(' ')?;
    let mut parts = rest.split(':');
    let path = Path::new(parts.next()?);
    let line = parts.next()?.parse().ok()?;
    let folder = match path.is_absolute() {
        true => root,
        false => folders.iter().find(|folder| folder.join(path).is_file())?,
    };
    let file = relative(root, folder, &path.to_string_lossy());
    let is_below = Path::new(&file).is_relative();
    is_below.then(|| Allocation { file, function: function.to_string(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(log: &str) -> Vec<Told> {
        super::told(log, Path::new("/r"), &BTreeSet::new()).into_iter().collect()
    }

    fn places((_, places): &Told) -> Vec<String> {
        places.iter().map(|p| format!("{}:{}:{}", p.file, p.function, p.line)).collect()
    }

    #[test]
    fn stacks_below_the_root_are_kept() {
        let stderr = "out\nDirect leak of 8 byte(s) in 1 object(s) allocated from:\n    \
            #0 0x7f in malloc ../x.cpp:69\n    #1 0x55 in make /r/src/a.c:12\n    \
            #2 0x56 in main /r/b.c:30\n\nDirect leak of 1 byte(s)\n    #0 0x1 in malloc x.cpp:1\n";
        let found = told(stderr);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].0, Kind::Leak);
        assert_eq!(places(&found[0]), ["src/a.c:make:12", "b.c:main:30"]);
    }

    #[test]
    fn files_may_be_named_as_they_were_compiled() {
        let scratch = Scratch::new("driven-names").unwrap();
        let root = scratch.file("program");
        let (src, lib) = (root.join("source/src"), root.join("source/lib"));
        for (folder, name) in [(&src, "a.c"), (&lib, "x.h")] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join(name), "").unwrap();
        }
        let log = "Direct leak of 8 byte(s) in 1 object(s) allocated from:\n    \
            #0 0x7f in malloc ../x.cpp:69\n    #1 0x55 in make ../lib/x.h:7\n    \
            #2 0x56 in main src/a.c:30\n    #3 0x57 in start ../csu/start.c:1\n";
        let source = root.join("source");
        let folders = BTreeSet::from([&*source, &*src]);
        let found = super::told(log, &root, &folders);
        let found: Vec<Vec<String>> = found.iter().map(places).collect();
        assert_eq!(found, [["source/lib/x.h:make:7", "source/src/a.c:main:30"]]);
    }

    #[test]
    fn an_allocation_tells_a_double_free_only_after_one() {
        let freed = "previously allocated by thread T0 here:\n    #0 0x5 in f /r/a.c:1\n";
        assert!(told(freed).is_empty());
        let double = format!("==1==ERROR: attempting double-free on 0x1\n{freed}");
        assert_eq!(told(&double).first().unwrap().0, Kind::DoubleFree);
    }
}
