//! The feasibility stages of the use-flow engine never refute a path that a run took (K6, K7).
//!
//! The programs of `suites/lab` run in the interpreter, as their `// run:` lines say; the blocks of
//! each activation are a path through its function. `CAULK_PATHS=all` takes all programs.

mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use caulk_base::{FxHashMap, Id};
use caulk_driver::{Knowledge, replay_paths};
use caulk_interp::{Budgets, Event, EventKind, RunOptions, Uninitialised, Unknown};
use caulk_ir::{BlockId, FunctionBody, FunctionId, Module};
use caulk_program::{LinkUnit, ModuleId, ProcId};
use caulk_use_flow::Replayed;
use source::module;

const STEPS: u64 = 50_000;
/// Every so many programs.
const EVERY: usize = 4;
/// Longer paths are cut there.
const LONGEST: usize = 40;
/// Different paths of one function.
const MOST: usize = 12;
const EXCEPTIONS: &str = include_str!("real_paths/exceptions.txt");

type Taken = BTreeSet<(usize, FunctionId, Vec<BlockId>)>;

#[test]
fn real_paths_pass() {
    let (mut possible, mut undecided, mut refuted) = (0, 0, BTreeSet::new());
    for file in programs() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (function, path, answer) in replayed(&file) {
            match answer {
                Replayed::Possible => possible += 1,
                Replayed::Undecided => undecided += 1,
                _ => {
                    println!("{name}:{function}: {answer:?} {path:?}");
                    refuted.insert(format!("{name}:{function}"));
                }
            }
        }
    }
    println!("{possible} paths pass, {undecided} are not decided, {} functions", refuted.len());
    let known: BTreeSet<&str> = exceptions().map(|(place, _)| place).collect();
    let unexpected: Vec<&String> =
        refuted.iter().filter(|place| !known.contains(place.as_str())).collect();
    assert!(unexpected.is_empty(), "refuted, though runs took them: {unexpected:#?}");
    if is_everything_run() {
        for (place, reason) in exceptions() {
            assert!(refuted.contains(place), "{place} passes now: remove it ({reason})");
        }
    }
    assert!(possible > 200, "only {possible} paths were compared");
    assert!(undecided * 10 < possible, "{undecided} of {possible} paths are not decided");
}

/// `PROGRAM:FUNCTION | reason` lines, and comments.
fn exceptions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = EXCEPTIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(" | ").expect("a place, a bar and a reason"))
}

fn is_everything_run() -> bool {
    std::env::var_os("CAULK_PATHS").is_some_and(|it| it == "all")
}

fn programs() -> Vec<PathBuf> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/lab");
    let entries = std::fs::read_dir(suite).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "c"));
    files.sort();
    let every = if is_everything_run() { 1 } else { EVERY };
    files.into_iter().step_by(every).collect()
}

/// What the stages say of the paths of a program's runs, by function.
fn replayed(file: &Path) -> Vec<(String, Vec<BlockId>, Replayed)> {
    let Some(module) = module(file) else { return Vec::new() };
    let mut taken = Taken::new();
    let text = std::fs::read_to_string(file).expect("a readable program");
    for line in text.lines().filter_map(|line| line.strip_prefix("// run:")) {
        run(&module, line, &mut taken);
    }
    let mut count: FxHashMap<FunctionId, usize> = FxHashMap::default();
    taken.retain(|row| {
        let number = count.entry(row.1).or_default();
        *number += 1;
        *number <= MOST
    });
    let name = |id: FunctionId| module.function_name(id).to_string();
    let rows: Vec<(String, Vec<BlockId>)> =
        taken.iter().map(|row| (name(row.1), row.2.clone())).collect();
    let of = |program: &caulk_program::Program| -> Vec<(ProcId, Vec<BlockId>)> {
        let proc = |module: usize, function: FunctionId| {
            let module = ModuleId::from_index(module);
            let rows = program.procs.iter();
            rows.filter(|(_, row)| (row.module, row.function) == (module, function))
                .map(|(id, _)| id)
                .next()
                .expect("a procedure that ran")
        };
        taken.iter().map(|(module, id, path)| (proc(*module, *id), path.clone())).collect()
    };
    let units = vec![LinkUnit { module: module.clone(), target: None }];
    let answers = replay_paths(units, &Knowledge::bundled(), &of);
    rows.into_iter().zip(answers).map(|((name, path), answer)| (name, path, answer)).collect()
}

/// Runs the program and keeps the path of each activation.
fn run(module: &Module, line: &str, taken: &mut Taken) {
    let program = caulk_interp::Program::link(vec![module.clone()]).expect("a program that links");
    let mut stack: Vec<(u32, Vec<BlockId>)> = Vec::new();
    let mut see = |event: &Event| {
        let depth = match event.kind {
            EventKind::Enter { .. } => event.depth.saturating_sub(1),
            _ => event.depth,
        };
        while stack.len() > depth {
            let (function, path) = stack.pop().expect("an activation");
            keep((&program, module), function, path, taken);
        }
        match event.kind {
            EventKind::Enter { function } => stack.push((function, vec![BlockId::ENTRY])),
            EventKind::Block { block } => {
                if let Some((_, path)) = stack.last_mut().filter(|row| row.1.len() < LONGEST) {
                    path.push(block);
                }
            }
            _ => {}
        }
    };
    let (args, stdin) = words(line);
    let options = RunOptions {
        args,
        stdin,
        budgets: Budgets { steps: STEPS, ..Budgets::default() },
        unknown: Unknown::Havoc,
        uninitialised: Uninitialised::Ignore,
        events: Some(&mut see),
        ..RunOptions::default()
    };
    caulk_interp::run(&program, options);
    for (function, path) in stack {
        keep((&program, module), function, path, taken);
    }
}

/// What `longjmp` did is no path through the function.
fn keep(
    (program, module): (&caulk_interp::Program, &Module),
    function: u32,
    mut path: Vec<BlockId>,
    taken: &mut Taken,
) {
    let row = &program.functions[function as usize];
    let FunctionBody::Defined(body) = &module.functions[row.id].body else { return };
    let follows =
        |pair: &[BlockId]| body.blocks[pair[0]].terminator.edges().any(|edge| edge.to == pair[1]);
    if let Some(jump) = path.windows(2).position(|pair| !follows(pair)) {
        path.truncate(jump + 1);
    }
    taken.insert((row.module, row.id, path));
}

/// `3 "a b" < "line\\n"`: arguments, and after `<` the standard input.
fn words(line: &str) -> (Vec<Vec<u8>>, Vec<u8>) {
    let mut words: Vec<String> = vec!["program".to_string()];
    let mut rest = line.trim();
    let mut stdin = String::new();
    let mut is_input = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('<') {
            (is_input, rest) = (true, after.trim_start());
            continue;
        }
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        let word = word.replace("\\n", "\n");
        if is_input {
            stdin = word
        } else {
            words.push(word)
        }
        rest = after.trim_start();
    }
    (words.into_iter().map(String::into_bytes).collect(), stdin.into_bytes())
}
