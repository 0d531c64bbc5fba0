//! `caulk run`: a program in the interpreter.

use std::io::{Read, Write, stderr, stdin};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use caulk_driver::{KeepModules, summarise};
use caulk_interp::{
    Budgets, Fact, Leak, Outcome, Position, Program, Report, RunOptions, Status, Uninitialised,
    Unknown,
};
use caulk_project::{SourceFiles, describe};

use crate::args::{InputArgs, RunArgs, Unset};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::session::{self, Session, Wishes};
use crate::terminal::complain;

/// The run did not end as a program ends.
const NOT_A_PROGRAM_CODE: u8 = 125;

pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let Some(program) = program(args)? else { return Ok(Exit::Program(NOT_A_PROGRAM_CODE)) };
    let mut tell = |fact: &Fact| {
        let _ = writeln!(stderr().lock(), "{}", fact.to_json());
    };
    let mut options = options(args)?;
    if args.trace {
        options.trace = Some(&mut tell);
    }
    let outcome = caulk_interp::run(&program, options);
    show(&outcome, args)?;
    let code = outcome.status.code().and_then(|code| u8::try_from(code).ok());
    Ok(Exit::Program(code.unwrap_or(NOT_A_PROGRAM_CODE)))
}

/// The linked program; none if some of it could not be read, which has been told.
fn program(args: &RunArgs) -> Result<Option<Program>, Failure> {
    let wishes = Wishes { quiet: true, keep_broken: false, cache: false };
    let Session { inputs, run, .. } = session::run(&input(args), KeepModules, &wishes)?;
    let incomplete = summarise(&inputs.project, &run).incomplete;
    incomplete.iter().for_each(|row| complain(&format!("caulk: {row}")));
    let modules: Vec<_> = run.outcomes.into_iter().filter_map(|outcome| outcome.output).collect();
    if modules.len() < inputs.project.units.len() {
        return Ok(None);
    }
    let linked = Program::link(modules);
    linked.map(Some).map_err(|error| Failure::usage(format!("cannot link: {error}")))
}

fn input(args: &RunArgs) -> InputArgs {
    InputArgs {
        time_limit: None,
        no_cache: true,
        files: args.files.clone(),
        database: args.database.clone(),
        jobs: None,
        memory: None,
        stack: None,
        journal: None,
        flags: args.flags.clone(),
    }
}

fn options<'a>(args: &RunArgs) -> Result<RunOptions<'a>, Failure> {
    let name = args.files.first().and_then(|file| file.file_stem());
    let name = name.map_or(b"program".to_vec(), |name| name.as_bytes().to_vec());
    let rest = args.args.iter().map(|arg| arg.clone().into_vec());
    let files = args
        .program_files
        .iter()
        .map(|path| Ok((path.as_os_str().as_bytes().to_vec(), bytes_of(path)?)));
    let budgets = Budgets { steps: args.steps.unwrap_or(u64::MAX), ..Budgets::default() };
    Ok(RunOptions {
        args: std::iter::once(name).chain(rest).collect(),
        env: args.env.iter().map(|text| variable(text)).collect::<Result<_, _>>()?,
        stdin: args.stdin.as_deref().map_or(Ok(Vec::new()), bytes_of)?,
        files: files.collect::<Result<_, Failure>>()?,
        fail_alloc: args.fail_alloc,
        budgets,
        watch_heap: args.leaks,
        unknown: if args.havoc { Unknown::Havoc } else { Unknown::Stop },
        uninitialised: match args.uninitialised {
            Unset::Stop => Uninitialised::Stop,
            Unset::Report => Uninitialised::Report,
            Unset::Ignore => Uninitialised::Ignore,
        },
        ..RunOptions::default()
    })
}

fn variable(text: &str) -> Result<(Vec<u8>, Vec<u8>), Failure> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.into(), value.into())),
        None => Err(Failure::usage(format!("--env {text}: expected NAME=VALUE"))),
    }
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = if path == Path::new("-") {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        SourceFiles::new().read(path).map(|bytes| bytes.to_vec())
    };
    read.map_err(|error| Failure::usage(format!("cannot read {}", describe(path, &error))))
}

fn show(outcome: &Outcome, args: &RunArgs) -> Result<(), Failure> {
    output::print(&outcome.stdout)
        .map_err(|error| Failure::usage(format!("cannot write to standard output: {error}")))?;
    let _ = stderr().lock().write_all(&outcome.stderr);
    outcome.reports.iter().for_each(|report| complain(&format!("caulk: {}", fault(report))));
    if let Some(why) = ending(&outcome.status) {
        complain(&format!("caulk: {why}"));
    }
    if args.leaks {
        outcome.leaks.iter().for_each(|leak| complain(&leaked(leak)));
    }
    if args.verbose {
        let Outcome { steps, allocations, peak_memory, .. } = outcome;
        complain(&format!(
            "caulk: {steps} instructions, {allocations} allocations, at most {peak_memory} bytes \
             of memory at once"
        ));
    }
    Ok(())
}

/// Why the run ended otherwise than a program ends.
fn ending(status: &Status) -> Option<String> {
    match status {
        Status::Exit(_) | Status::Signal(_) => None,
        Status::Error(report) => Some(fault(report)),
        Status::UnknownExternal(name) => Some(format!(
            "the program called {name}, which caulk does not model; --havoc lets such functions \
             do nothing and return 0"
        )),
        Status::OutOfBudget(budget) => Some(format!("the program used up its {budget:?} budget")),
        Status::NoMain => Some("no function `main` is defined in these files".to_owned()),
    }
}

fn stack(rows: &[Position]) -> String {
    rows.iter().map(|at| format!("\n    {at}")).collect()
}

fn fault(report: &Report) -> String {
    format!("{}: {}, in{}", report.kind.name(), report.message, stack(&report.stack))
}

fn leaked(leak: &Leak) -> String {
    let mut text =
        format!("caulk: {} bytes leaked, allocated in{}", leak.size, stack(&leak.allocated));
    if let Some(loss) = &leak.lost {
        text += &format!("\n  last held by {}, lost in{}", loss.held_by, stack(&loss.stack));
    }
    text
}
