//! One program with all its inputs, under all tools: first as it is, then with each allocation
//! failing in turn, so that error paths are executed too.

use super::coverage::Counted;
use super::interpreted::{Interpreted, Interpreter};
use super::native::Native;
use super::program::{Input, Program};
use super::truth::{Evidence, Observed, Tool, Truth};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of a run that allocates more often, the allocations from here on do not fail.
const MOST_FAILURES: u64 = 24;

/// What all programs share.
pub struct Lab {
    /// The source that makes allocations fail.
    pub failing: PathBuf,
    /// Files that the programs find where they run.
    pub files: Vec<(String, Vec<u8>)>,
    pub has_valgrind: bool,
}

impl Lab {
    pub fn open(checkout: &Path) -> Result<Lab, String> {
        let data = checkout.join("suites/lab/data");
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&data).map_err(|e| format!("{}: {e}", data.display()))? {
            let path = entry.map_err(|e| e.to_string())?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((
                name,
                std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?,
            ));
        }
        files.sort();
        let failing = checkout.join("suites/programs/failing_malloc.c");
        let asked = Command::new("valgrind").arg("--version").output();
        let has_valgrind = asked.is_ok_and(|output| output.status.success());
        Ok(Lab { failing, files, has_valgrind })
    }

    /// Runs a program every way there is; `folder` is empty, and its own.
    pub fn measure(&self, program: &Program, folder: &Path) -> Result<Truth, String> {
        let told = |e: String| format!("{}: {e}", program.name);
        self.prepare(folder).map_err(told)?;
        let native = Native::build(program, &self.failing, folder).map_err(told)?;
        let counted = Counted::build(program, &self.failing, folder).map_err(told)?;
        let interpreter = Interpreter::load(program, &self.files).map_err(told)?;
        let tools = Tools { native, counted, interpreter, has_valgrind: self.has_valgrind };
        let mut evidence = Evidence { runs: program.inputs.len(), ..Evidence::default() };
        for input in &program.inputs {
            tools.observe(input, &mut evidence).map_err(told)?;
        }
        let uncovered = tools.counted.uncovered().map_err(told)?;
        let mut truth = evidence.judge();
        (truth.uncovered, truth.untaken) = (uncovered.lines, uncovered.branches);
        Ok(truth)
    }

    /// The defects of the undisturbed runs alone: quick, for mutants.
    pub fn defects(&self, program: &Program, folder: &Path) -> Result<Vec<Observed>, String> {
        self.prepare(folder)?;
        let native = Native::build(program, &self.failing, folder)?;
        let interpreter = Interpreter::load(program, &self.files)?;
        let has_resources =
            ["open(", "opendir(", "tmpfile("].iter().any(|w| program.text.contains(w));
        let mut all = Vec::new();
        for input in &program.inputs {
            all.extend(interpreter.run(input, None).defects);
            all.extend(native.sanitized(input, None)?);
            if has_resources && self.has_valgrind {
                all.extend(native.valgrind(input)?);
            }
        }
        Ok(all)
    }

    fn prepare(&self, folder: &Path) -> Result<(), String> {
        let told = |e: std::io::Error| format!("{}: {e}", folder.display());
        std::fs::create_dir_all(folder).map_err(told)?;
        let mut files = self.files.iter();
        files.try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes)).map_err(told)
    }
}

struct Tools {
    native: Native,
    counted: Counted,
    interpreter: Interpreter,
    has_valgrind: bool,
}

impl Tools {
    fn observe(&self, input: &Input, evidence: &mut Evidence) -> Result<(), String> {
        let interpreted = self.interpreter.run(input, None);
        let allocations = interpreted.allocations.min(MOST_FAILURES);
        match &interpreted.stopped {
            Some(why) => drop(evidence.notes.insert(format!("interp stopped: {why}"))),
            None => drop(evidence.tools.insert(Tool::Interp)),
        }
        add_interpreted(evidence, interpreted, false);
        self.counted.run(input, None)?;
        add(evidence, Tool::Lsan, false, self.native.sanitized(input, None)?);
        evidence.tools.insert(Tool::Lsan);
        if self.has_valgrind {
            add(evidence, Tool::Valgrind, false, self.native.valgrind(input)?);
            evidence.tools.insert(Tool::Valgrind);
        }
        (1..=allocations).try_for_each(|number| self.inject(input, number, evidence))
    }

    /// What a program does wrong after a failure, other than leaking, is not the lab's subject.
    fn inject(&self, input: &Input, number: u64, evidence: &mut Evidence) -> Result<(), String> {
        let interpreted = self.interpreter.run(input, Some(number));
        add_interpreted(evidence, interpreted, true);
        self.counted.run(input, Some(number))?;
        let native = self.native.sanitized(input, Some(number)).unwrap_or_default();
        add(evidence, Tool::Lsan, true, native);
        Ok(())
    }
}

fn add(evidence: &mut Evidence, tool: Tool, is_injected: bool, found: Vec<Observed>) {
    evidence.defects.extend(found.into_iter().map(|defect| (tool, is_injected, defect)));
}

/// A failure may keep what an undisturbed run releases, when the program ends early.
fn add_interpreted(evidence: &mut Evidence, run: Interpreted, is_injected: bool) {
    evidence.sites.extend(run.sites);
    let kept = if is_injected { BTreeSet::new() } else { run.kept };
    evidence.kept.extend(kept);
    add(evidence, Tool::Interp, is_injected, run.defects);
}
