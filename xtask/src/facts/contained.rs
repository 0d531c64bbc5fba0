//! What the cases of `suites/programs` do in the interpreter is among what the facts about the
//! programs allow: points-to sets, callees, which write a read sees, and at every 2,003rd block who
//! holds a cell. Nothing is logged: each event is compared at once (see `crates/driver/tests/containment`).

use crate::corpus::{self, Ready, write_database};
use crate::execution::suite::{Case, Program, Suite};
use crate::execution::{build, inputs};
use crate::show;
use crate::tools::Scratch;
use caulk_driver::{
    CancelFlag, FactOptions, Inputs, KeepModules, Meter, Options, Silent, WholeProgram,
};
use caulk_flow::{DEFAULT_LIMIT, Flow, Precision, Reachability};
use caulk_interp::{Budgets, Event, RunOptions, Uninitialised, Unknown};
use caulk_ir::Module;
use caulk_models::Models;
use caulk_program::LinkUnit;
use caulk_project::{LoadOptions, from_database, memory_in_use, processor_time, thread_time};
use check::{Checker, Claims, Report};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[path = "../../../crates/driver/tests/containment/mod.rs"]
mod check;

/// The programs that are compared when none is named.
const PROGRAMS: [&str; 4] = ["bzip2", "jq", "lua5.4", "sqlite3"];
/// Instructions of one case; the end of a longer one adds little that is new.
const STEPS: u64 = 20_000_000;
/// Blocks from one look at the holders to the next.
const SAMPLE: u64 = 2_003;
/// A case whose input is what another wrote.
const OUTPUT_OF: &str = "output of ";
const EXCEPTIONS: &str = include_str!("../../../crates/driver/tests/containment/exceptions.txt");

pub fn main(checkout: &Path, arguments: &[String]) -> Result<ExitCode, String> {
    let suite = Suite::read(&checkout.join("suites/programs"))?;
    let names: Vec<String> = match arguments {
        [] => PROGRAMS.map(String::from).to_vec(),
        named => named.to_vec(),
    };
    let sources = corpus::choose(checkout, &names)?.programs;
    let scratch = Scratch::new("contained")?;
    let folder = inputs::prepare(&suite.folder, &scratch)?;
    let mut is_contained = true;
    for program in suite.choose(&names)? {
        let source = sources.iter().find(|source| source.name == program.name);
        let source = source.ok_or(format!("{} is not in the corpus", program.name))?;
        let modules = modules(program, source, &suite.folder, &scratch)?;
        let report = compare(program, modules, &folder)?;
        show(&format!("{}\n{report}\n", program.name));
        is_contained &= report.violations.iter().all(|text| is_known(text));
    }
    Ok(if is_contained { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether a violation stands in the list of exceptions.
fn is_known(text: &str) -> bool {
    let rows = EXCEPTIONS.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once(" | ")).any(|(part, _)| text.contains(part))
}

fn modules(
    program: &Program,
    source: &Ready,
    suite: &Path,
    scratch: &Scratch,
) -> Result<Vec<Module>, String> {
    let folder = scratch.file(&program.name);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let database = folder.join("compile_commands.json");
    let units = build::units(program, source, suite)?;
    write_database(&database, &units)?;
    let project =
        from_database(&database, &LoadOptions::new(&folder)).map_err(|e| e.to_string())?;
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let (inputs, options) = (Inputs::new(project), Options::new(threads));
    let run = caulk_driver::run(&inputs, &options, KeepModules, &CancelFlag::new(), &Silent);
    let modules: Vec<Module> = run.outcomes.into_iter().filter_map(|it| it.output).collect();
    match modules.len() == units.len() {
        true => Ok(modules),
        false => Err(format!("{}: {} of {} units", program.name, modules.len(), units.len())),
    }
}

/// Runs all cases of a program, each with a listener that knows what may happen.
fn compare(program: &Program, modules: Vec<Module>, folder: &Path) -> Result<Report, String> {
    let run = caulk_interp::Program::link(modules.clone()).map_err(|e| e.to_string())?;
    let unit = |module| LinkUnit { module, target: None };
    let units = modules.into_iter().map(unit).collect();
    let meter = Meter { processor_time, thread_time, memory: memory_in_use };
    let start = Instant::now();
    let whole = WholeProgram::new(units, &Models::bundled(), &FactOptions::default(), meter);
    let memory = whole.memory();
    eprintln!("{}: facts in {:.1} s", program.name, start.elapsed().as_secs_f64());
    let flow = Flow::new(&memory);
    let reachability = Reachability::new(&flow, Precision::Full, DEFAULT_LIMIT);
    let mut report = Report::default();
    for case in &program.cases {
        let start = Instant::now();
        let claims = Claims::new(&flow, &reachability);
        let mut checker = Checker::new(&run, &whole, &memory, Some(claims));
        let mut see = |event: &Event| checker.see(event);
        let options = RunOptions { events: Some(&mut see), ..options(case, folder)? };
        let outcome = caulk_interp::run(&run, options);
        keep(&outcome.stdout, &folder.join(output_of(&case.name)))?;
        let (steps, took) = (outcome.steps, start.elapsed().as_secs_f64());
        eprintln!("{}/{}: {steps} instructions, {took:.1} s", program.name, case.name);
        report.merge(checker.report);
    }
    Ok(report)
}

fn options<'a>(case: &Case, folder: &Path) -> Result<RunOptions<'a>, String> {
    let bytes = |name: &str| {
        let file: PathBuf = folder.join(name);
        std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))
    };
    let stdin = match case.stdin.as_deref() {
        None => Vec::new(),
        Some(name) => match name.strip_prefix(OUTPUT_OF) {
            Some(other) => bytes(&output_of(other))?,
            None => bytes(name)?,
        },
    };
    let files = case.files.iter().map(|name| Ok((name.clone().into_bytes(), bytes(name)?)));
    let words = std::iter::once("program").chain(case.args.iter().map(String::as_str));
    Ok(RunOptions {
        args: words.map(|word| word.as_bytes().to_vec()).collect(),
        env: vec![(b"HOME".to_vec(), b".".to_vec())],
        stdin,
        files: files.collect::<Result<_, String>>()?,
        budgets: Budgets { steps: STEPS, ..Budgets::default() },
        watch_heap: true,
        sample: Some(SAMPLE),
        unknown: Unknown::Havoc,
        uninitialised: Uninitialised::Ignore,
        ..RunOptions::default()
    })
}

fn output_of(case: &str) -> String {
    format!("{case}.out")
}

fn keep(bytes: &[u8], file: &Path) -> Result<(), String> {
    std::fs::write(file, bytes).map_err(|e| format!("{}: {e}", file.display()))
}
