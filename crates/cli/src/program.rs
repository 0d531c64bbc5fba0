//! All units of the command line, as one program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caulk_driver::{
    CancelFlag, FactOptions, KeepModules, Knowledge, Measured, Meter, WholeProgram, summarise,
};
use caulk_finding::Results;
use caulk_ir::Module;
use caulk_models::Models;
use caulk_program::LinkUnit;
use caulk_project::{
    SourceFiles, current_dir, describe, memory_in_use, processor_time, thread_time,
};

use crate::args::{InputArgs, KnowledgeArgs};
use crate::exit::Failure;
use crate::session::{self, Wishes};
use crate::terminal::complain;

/// What stages are measured by.
pub const METER: Meter = Meter { processor_time, thread_time, memory: memory_in_use };

/// The units, not linked yet, and what they had to tell.
pub struct Units {
    pub units: Vec<LinkUnit>,
    /// Of each unit, what the cache calls it, if it keeps it.
    pub prints: Vec<Option<String>>,
    pub results: Results,
    pub files: Arc<SourceFiles>,
    /// Raised when what comes next should end.
    pub cancel: CancelFlag,
    pub front_end: Measured,
}

/// `text_ir` holds the modules of text files, if any were named.
pub fn read(
    input: &InputArgs,
    quiet: bool,
    text_ir: Option<Vec<Module>>,
) -> Result<Units, Failure> {
    let wishes = Wishes { quiet, keep_broken: false, cache: true };
    let before = processor_time();
    let only_text = text_ir.is_some() && input.files.is_empty();
    let (mut modules, mut results) = (text_ir.unwrap_or_default(), Results::default());
    let (mut files, mut cancel) = (Arc::default(), CancelFlag::new());
    let mut prints = vec![None; modules.len()];
    if !only_text {
        let read = session::run(input, KeepModules, &wishes)?;
        results = summarise(&read.inputs.project, &read.run);
        (files, cancel) = (read.inputs.files, read.cancel);
        for outcome in read.run.outcomes {
            if let Some(module) = outcome.output {
                modules.push(module);
                prints.push(outcome.print);
            }
        }
    }
    let front_end = Measured {
        name: "reading, parsing, lowering",
        processor: processor_time().saturating_sub(before),
        memory: memory_in_use(),
    };
    let unit = |module| LinkUnit { module, target: None };
    let units = modules.into_iter().map(unit).collect();
    Ok(Units { units, prints, results, files, cancel, front_end })
}

/// The facts of the units, the cost of reading them first.
pub fn facts(units: Vec<LinkUnit>, models: &Models, front_end: Measured) -> WholeProgram {
    let mut whole = WholeProgram::new(units, models, &FactOptions::default(), METER);
    whole.stages.insert(0, front_end);
    whole
}

/// Says on standard error what the facts lack.
pub fn tell_give_ups(whole: &WholeProgram) {
    if whole.points_to.statistics().gave_up {
        complain(
            "caulk: points-to used up its budget on this program: some flows are missing from \
             what follows; smaller parts of it (`caulk stats FILE…`) are analysed in full",
        );
    }
}

/// What caulk brings along, and the user's over it.
pub fn read_knowledge(args: &KnowledgeArgs) -> Result<Knowledge, Failure> {
    let mut knowledge = Knowledge::bundled();
    each_file("--models", &args.models, |name, text| knowledge.models.add_own(name, text))?;
    each_file("--machines", &args.machines, |name, text| knowledge.machines.add(name, text))?;
    for (name, value) in &args.policies {
        if !knowledge.policies.set(name, value) {
            return Err(Failure::usage(format!("--policy: unknown {name}={value}")));
        }
    }
    for switch in &args.switches {
        let usage = |why| Failure::usage(format!("--switch {switch}: {why}"));
        knowledge.set(switch).map_err(usage)?;
    }
    Ok(knowledge)
}

/// As short as it can be from here.
fn shown(path: &Path) -> String {
    let here = current_dir().ok();
    let inside = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path).display().to_string()
}

fn each_file<E: std::fmt::Display>(
    option: &str,
    paths: &[PathBuf],
    mut add: impl FnMut(&str, &str) -> Result<(), E>,
) -> Result<(), Failure> {
    for path in paths {
        let bytes = SourceFiles::new()
            .read(path)
            .map_err(|error| Failure::usage(format!("{option}: {}", describe(path, &error))))?;
        let (name, text) = (shown(path), String::from_utf8_lossy(&bytes));
        add(&name, &text).map_err(|error| Failure::usage(format!("{option}: {error}")))?;
    }
    Ok(())
}
